import { AskError, readAnswer, type Answer, type Asking, type Engine } from './engine';

interface Waiting {
  verb: string;
  body: object;
  asking: Asking;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/// How long an answer that nobody waits for any more may go on before its worker is ended: starting another one costs more.
const patience = 300;

/// WebAssembly in a worker, one question after the other. A question that was stopped while it waits is never asked; one that is
/// at work is let finish if it is quick, else its worker is ended.
export class Browser implements Engine {
  readonly kind = 'browser';
  private worker: Worker | undefined;
  private queue: Waiting[] = [];
  private running: Waiting | undefined;
  private ender: ReturnType<typeof setTimeout> | undefined;

  ask(verb: string, body: object, asking: Asking = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (asking.signal?.aborted) return reject(new DOMException('stopped', 'AbortError'));
      const waiting = { verb, body, asking, resolve, reject };
      this.queue.push(waiting);
      asking.signal?.addEventListener('abort', () => this.stop(waiting), { once: true });
      this.next();
    });
  }

  private stop(waiting: Waiting): void {
    waiting.reject(new DOMException('stopped', 'AbortError'));
    if (waiting !== this.running) {
      this.queue = this.queue.filter((other) => other !== waiting);
    } else {
      this.ender ??= setTimeout(() => this.restart(), patience);
    }
  }

  private restart(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.done();
  }

  private done(): void {
    clearTimeout(this.ender);
    this.ender = undefined;
    this.running = undefined;
    this.next();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<{ text?: string; progress?: number; fault?: string }>) => {
      const waiting = this.running;
      if (!waiting) return;
      if (data.progress !== undefined) {
        if (!waiting.asking.signal?.aborted) waiting.asking.onProgress?.(data.progress);
        return;
      }
      try {
        if (data.text === undefined) throw new AskError(data.fault ?? 'the engine ended');
        waiting.resolve(readAnswer(data.text));
      } catch (error) {
        waiting.reject(error);
      }
      this.done();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.running?.reject(new AskError(event.message || 'the engine could not be loaded'));
      this.restart();
    };
    return worker;
  }

  private next(): void {
    if (this.running) return;
    const waiting = this.queue.shift();
    if (!waiting) return;
    this.running = waiting;
    this.worker ??= this.start();
    this.worker.postMessage({ verb: waiting.verb, body: waiting.body });
  }
}
