// Runs the engine in a worker and queues the questions, which it answers one at a time. Cancelling a running question
// terminates the worker, since WebAssembly cannot be interrupted otherwise.
import { type AnswerOf, type AskOptions, type Body, type Engine, SalvoError, type Verb } from "./engine.js";
import { NEEDS_COMPLETE, NEEDS_FURTHER, type Parts } from "./module.js";
import type { FromWorker, Sources, ToWorker } from "./serve.js";

/** A worker of a browser or of Node. */
export interface Link {
  post(message: ToWorker): void;
  end(): void;
  /** Sets whether this worker keeps the process alive. Only Node needs it. */
  hold?(on: boolean): void;
}

export interface Host {
  /** What a worker loads. */
  sources: Sources;
  /** Fetches a later part of the profiles; 0: the cards. Called again after a failure. */
  further(at: number): Promise<Uint8Array>;
  /** Starts a worker. `onLost` is called when it cannot start or has died. */
  start(onMessage: (message: FromWorker) => void, onLost: (why: string) => void): Link;
}

interface Question {
  id: number;
  verb: string;
  body: string;
  latest: string | undefined;
  progress: ((done: number, planned: number) => void) | undefined;
  settled: boolean;
  resolve(text: string): void;
  reject(reason: unknown): void;
}

/** How long a cancelled question may run before its worker is terminated: most finish sooner than a worker starts. */
const GRACE_MS = 100;

const ended = (): DOMException => new DOMException("the question was ended", "AbortError");

export class WorkerEngine implements Engine {
  private readonly waiting: Question[] = [];
  private running: Question | undefined;
  private link: Link | undefined;
  /** Whether the worker has reported that the module is open. */
  private isReady = false;
  /** What the first worker has loaded. */
  private parts: Parts | undefined;
  /** The later parts of the profiles, from when they are fetched. */
  private further: (Promise<Uint8Array> | undefined)[] = [];
  /** How many of them the worker has. */
  private added = 0;
  private numbers = 0;
  private closed = false;
  private versionPromise: Promise<string>;
  private versionResult!: { resolve(version: string): void; reject(reason: unknown): void };

  constructor(private readonly host: Host) {
    this.versionPromise = this.newVersion();
    this.start();
  }

  async ask<V extends Verb>(verb: V, body: Body<V>, options?: AskOptions): Promise<AnswerOf<V>> {
    return JSON.parse(await this.askText(verb, body, options));
  }

  askText<V extends Verb>(verb: V, body: Body<V> | string, options: AskOptions = {}): Promise<string> {
    const { signal, latest } = options;
    return new Promise((resolve, reject) => {
      if (this.closed) throw new Error("the engine is closed");
      if (signal?.aborted) throw signal.reason;
      const question: Question = {
        id: ++this.numbers,
        verb,
        body: typeof body === "string" ? body : JSON.stringify(body),
        latest,
        progress: options.onProgress,
        settled: false,
        resolve,
        reject,
      };
      if (latest !== undefined) {
        for (const older of [...this.waiting, this.running]) {
          if (older?.latest === latest) this.drop(older, ended());
        }
      }
      signal?.addEventListener("abort", () => this.drop(question, signal.reason), { once: true });
      this.waiting.push(question);
      if (this.link === undefined) this.start();
      this.link?.hold?.(true);
      this.next();
    });
  }

  version(): Promise<string> {
    return this.versionPromise;
  }

  close(): void {
    this.closed = true;
    this.stop();
    this.versionResult.reject(ended());
    for (const question of [...this.waiting.splice(0), this.running]) {
      if (question !== undefined) this.settle(question, () => question.reject(ended()));
    }
    this.running = undefined;
  }

  private newVersion(): Promise<string> {
    const out = new Promise<string>((resolve, reject) => (this.versionResult = { resolve, reject }));
    out.catch(() => {}); // callers of version() still see the rejection
    return out;
  }

  private start(): void {
    const link = this.host.start(
      (message) => this.link === link && this.receive(message),
      (why) => this.link === link && this.lose(why),
    );
    this.link = link;
    this.added = this.parts?.further?.length ?? 0;
    link.hold?.(true); // until the worker is ready and the queue is empty
    link.post(this.parts ? { parts: this.parts } : { load: this.host.sources });
    this.next();
  }

  private stop(): void {
    this.link?.end();
    this.link = undefined;
    this.isReady = false;
  }

  /** Rejects every question, since no worker can be started. The next question tries again, with parts fetched anew: what
   *  came for one of them may be no pack. */
  private fail(why: string): void {
    this.stop();
    this.parts = undefined;
    this.further = [];
    const error = new SalvoError(why, "", 4);
    this.versionResult.reject(error);
    this.versionPromise = this.newVersion();
    for (const question of [this.running, ...this.waiting.splice(0)]) {
      if (question !== undefined) this.settle(question, () => question.reject(error));
    }
    this.running = undefined;
  }

  /** Handles the death of the worker: only the running question fails. */
  private lose(why: string): void {
    const question = this.running;
    if (question === undefined || !this.isReady) return this.fail(why);
    this.running = undefined;
    this.stop();
    this.settle(question, () => question.reject(new SalvoError(why, "", 4)));
    if (this.waiting.length > 0) this.start();
  }

  private receive(message: FromWorker): void {
    if ("ready" in message) {
      this.isReady = true;
      this.versionResult.resolve(message.ready);
      if (this.running?.settled) this.giveUp(this.running);
      return this.next();
    }
    if ("loaded" in message) {
      this.parts = message.loaded;
      const further = message.loaded.further ?? [];
      this.further = further.map((part) => Promise.resolve(part));
      this.added = further.length;
      if (this.added === 0) this.fetchPart(0).catch(() => {}); // a question that needs it reports why
      return;
    }
    if ("failed" in message) return this.fail(message.failed);
    const question = this.running;
    if (question === undefined || message.id !== question.id) return;
    if ("done" in message) {
      if (!question.settled) question.progress?.(message.done, message.planned);
      return;
    }
    if ("status" in message && message.status === NEEDS_FURTHER) return this.fetchFurther(question);
    if ("broken" in message) return this.lose(`the engine broke off (${message.broken}); please report the question`);
    this.running = undefined;
    this.settle(question, () => {
      if (message.status === 0) return question.resolve(message.text);
      if (message.status === NEEDS_COMPLETE) return question.reject(new CompleteNeeded());
      question.reject(errorOf(message.text, message.status));
    });
    this.next();
  }

  private next(): void {
    if (this.link === undefined || this.running !== undefined) return;
    const question = this.waiting.shift();
    if (question === undefined) return void (this.isReady && this.link?.hold?.(false));
    this.running = question;
    this.post(question);
  }

  private post({ id, verb, body, progress }: Question): void {
    this.link?.post({ id, verb, body, progress: progress !== undefined });
  }

  /** Fetches a part of the profiles, unless that was done. Workers that start afterwards receive it with the other parts. */
  private fetchPart(at: number): Promise<Uint8Array> {
    const parts = this.further;
    const fetched = async (): Promise<Uint8Array> => {
      try {
        const further = await this.host.further(at);
        if (this.parts && this.further === parts) this.parts = { ...this.parts, further: [...(this.parts.further ?? []), further] };
        return further;
      } catch (error) {
        parts[at] = undefined;
        throw error;
      }
    };
    return (parts[at] ??= fetched());
  }

  /** Fetches the next part of the profiles, which the question needs, and posts it again. */
  private fetchFurther(question: Question): void {
    const link = this.link;
    this.fetchPart(this.added).then(
      (further) => {
        if (this.link !== link || this.running !== question) return;
        this.added += 1;
        link?.post({ further });
        this.post(question);
      },
      (error) => {
        if (this.running !== question) return;
        this.running = undefined;
        const why = `the cards that this asks for cannot be loaded: ${error instanceof Error ? error.message : error}`;
        this.settle(question, () => question.reject(new SalvoError(why, "", 4)));
        this.next();
      },
    );
  }

  private drop(question: Question, reason: unknown): void {
    const at = this.waiting.indexOf(question);
    if (at >= 0) this.waiting.splice(at, 1);
    // A starting worker continues: the next question needs it, too.
    if (this.running === question && !question.settled && this.isReady) this.giveUp(question);
    this.settle(question, () => question.reject(reason));
  }

  /** Replaces the worker unless it soon finishes the question, whose answer is no longer wanted. */
  private giveUp(question: Question): void {
    setTimeout(() => {
      if (this.running !== question) return;
      this.running = undefined;
      this.stop();
      if (!this.closed) this.start();
    }, GRACE_MS);
  }

  private settle(question: Question, how: () => void): void {
    if (question.settled) return;
    question.settled = true;
    how();
  }
}

/** The verbs of salvo.wasm. */
const FIRST_VERBS: ReadonlySet<string> = new Set([
  "run", "advise", "worth", "order", "durability", "squad", "compare", "ships", "pilots", "upgrades", "weapons",
]);

/** With at least this many cores, a second worker of the complete module does not slow down the first: the page needs one, too. */
const MANY_CORES = 4;

/** The small module cannot answer this question. */
class CompleteNeeded extends Error {}

/** Sends a question to the small module if that answers it, and otherwise to the complete one, whose worker starts when it
 *  is first needed. */
export class SplitEngine implements Engine {
  private readonly first: WorkerEngine;
  private complete: WorkerEngine | undefined;
  private beside: WorkerEngine | undefined;
  private closed = false;

  /** `cores`: how many threads the device runs at once. */
  constructor(private readonly hostOf: (complete: boolean) => Host, private readonly cores: number) {
    this.first = new WorkerEngine(hostOf(false));
  }

  async ask<V extends Verb>(verb: V, body: Body<V>, options?: AskOptions): Promise<AnswerOf<V>> {
    return JSON.parse(await this.askText(verb, body, options));
  }

  async askText<V extends Verb>(verb: V, body: Body<V> | string, options?: AskOptions): Promise<string> {
    try {
      return await this.engineOf(FIRST_VERBS.has(verb), options).askText(verb, body, options);
    } catch (error) {
      if (!(error instanceof CompleteNeeded)) throw error;
      return this.engineOf(false, options).askText(verb, body, options);
    }
  }

  version(): Promise<string> {
    return this.first.version();
  }

  close(): void {
    this.closed = true;
    this.first.close();
    this.complete?.close();
    this.beside?.close();
  }

  private engineOf(first: boolean, { beside = false }: AskOptions = {}): WorkerEngine {
    if (this.closed || first) return this.first;
    if (beside && this.cores >= MANY_CORES) return (this.beside ??= new WorkerEngine(this.hostOf(true)));
    return (this.complete ??= new WorkerEngine(this.hostOf(true)));
  }
}

function errorOf(text: string, status: number): SalvoError {
  if (text === "") return new SalvoError("out of memory; ask for less at once", "", status);
  const { error } = JSON.parse(text) as { error: { place: string; message: string; status: number } };
  return new SalvoError(error.message, error.place, error.status);
}
