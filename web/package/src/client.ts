// The engine behind a worker: questions wait here, one is being answered. What ends a question that is being answered
// ends its worker, for WebAssembly cannot be interrupted otherwise.
import { type AnswerOf, type AskOptions, type Body, type Engine, SalvoError, type Verb } from "./engine.js";
import { NEEDS_FURTHER, type Parts } from "./module.js";
import type { FromWorker, ToWorker } from "./serve.js";

/** A worker, of a browser or of Node. */
export interface Link {
  post(message: ToWorker): void;
  end(): void;
  /** Whether the program has to go on for this worker's sake; not a concern of browsers. */
  hold?(on: boolean): void;
}

export interface Host {
  /** Fetches the parts; asked again when that failed. */
  parts(): Promise<Parts>;
  /** Fetches what the profiles leave out, when the first question needs it; asked again when that failed. */
  further(): Promise<Uint8Array>;
  /** Starts a worker; `lost` hears when it cannot be started or has died. */
  start(hear: (message: FromWorker) => void, lost: (why: string) => void): Link;
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

/** How long an ended question may go on before its worker is ended: most are answered sooner than a worker starts. */
const GRACE_MS = 100;

const ended = (): DOMException => new DOMException("the question was ended", "AbortError");

export class WorkerEngine implements Engine {
  private readonly waiting: Question[] = [];
  private running: Question | undefined;
  private link: Link | undefined;
  /** Whether the worker has what it is started with, so that it can be asked. */
  private hasParts = false;
  /** Whether it has said so: it can answer. */
  private isReady = false;
  private parts: Promise<Parts> | undefined;
  private further: Promise<Uint8Array> | undefined;
  private numbers = 0;
  private closed = false;
  private told: Promise<string>;
  private tell!: { resolve(version: string): void; reject(reason: unknown): void };

  constructor(private readonly host: Host) {
    this.told = this.newVersion();
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
    return this.told;
  }

  close(): void {
    this.closed = true;
    this.stop();
    this.tell.reject(ended());
    for (const question of [...this.waiting.splice(0), this.running]) {
      if (question !== undefined) this.settle(question, () => question.reject(ended()));
    }
    this.running = undefined;
  }

  private newVersion(): Promise<string> {
    const out = new Promise<string>((resolve, reject) => (this.tell = { resolve, reject }));
    out.catch(() => {}); // who asks for it hears of it
    return out;
  }

  private start(): void {
    this.parts ??= this.host.parts();
    const link = this.host.start(
      (message) => this.link === link && this.hear(message),
      (why) => this.link === link && this.lose(why),
    );
    this.link = link;
    link.hold?.(true); // until it is ready and nothing waits
    this.parts.then(
      (parts) => {
        if (this.link !== link) return;
        link.post({ parts });
        this.hasParts = true;
        this.next();
      },
      (error) => {
        this.parts = undefined;
        if (this.link === link) this.fail(`the engine cannot be loaded: ${error instanceof Error ? error.message : error}`);
      },
    );
  }

  private stop(): void {
    this.link?.end();
    this.link = undefined;
    this.hasParts = false;
    this.isReady = false;
  }

  /** Nothing can be answered; the next question tries again. */
  private fail(why: string): void {
    this.stop();
    const error = new SalvoError(why, "", 4);
    this.tell.reject(error);
    this.told = this.newVersion();
    for (const question of [this.running, ...this.waiting.splice(0)]) {
      if (question !== undefined) this.settle(question, () => question.reject(error));
    }
    this.running = undefined;
  }

  /** The worker has died: its question is lost, the others are not. */
  private lose(why: string): void {
    const question = this.running;
    if (question === undefined || !this.isReady) return this.fail(why);
    this.running = undefined;
    this.stop();
    this.settle(question, () => question.reject(new SalvoError(why, "", 4)));
    if (this.waiting.length > 0) this.start();
  }

  private hear(message: FromWorker): void {
    if ("ready" in message) {
      this.isReady = true;
      this.tell.resolve(message.ready);
      if (this.running?.settled) this.giveUp(this.running);
      return this.next();
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
      question.reject(errorOf(message.text, message.status));
    });
    this.next();
  }

  private next(): void {
    if (!this.hasParts || this.running !== undefined) return;
    const question = this.waiting.shift();
    if (question === undefined) return void (this.isReady && this.link?.hold?.(false));
    this.running = question;
    this.post(question);
  }

  private post({ id, verb, body, progress }: Question): void {
    this.link?.post({ id, verb, body, progress: progress !== undefined });
  }

  /** The question needs what the profiles leave out: it is asked again when that is there. */
  private fetchFurther(question: Question): void {
    const link = this.link;
    const parts = this.parts;
    this.further ??= this.host.further();
    this.further.then(
      (further) => {
        // Workers that start from now on have it from the start.
        this.parts = parts?.then((all) => ({ ...all, further }));
        if (this.link !== link || this.running !== question) return;
        link?.post({ further });
        this.post(question);
      },
      (error) => {
        this.further = undefined;
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
    // A worker that is still starting is not ended for a question that it has not begun.
    if (this.running === question && !question.settled && this.isReady) this.giveUp(question);
    this.settle(question, () => question.reject(reason));
  }

  /** Ends the worker if it does not answer the question soon: nobody waits for it any more. */
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

function errorOf(text: string, status: number): SalvoError {
  if (text === "") return new SalvoError("out of memory; ask for less at once", "", status);
  const { error } = JSON.parse(text) as { error: { place: string; message: string; status: number } };
  return new SalvoError(error.message, error.place, error.status);
}
