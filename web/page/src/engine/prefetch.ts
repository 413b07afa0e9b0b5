import type { Answer, Asking, Engine } from './engine';

/// Prefetches the answer to the question that the page is expected to ask first.
export class PrefetchingEngine implements Engine {
  private readonly stopper = new AbortController();
  private hear: Asking['onProgress'];
  private early: { key: string; answer: Promise<Answer> } | undefined;

  constructor(private readonly engine: Engine, verb: string, body: object) {
    const answer = engine.ask(verb, body, { signal: this.stopper.signal, onProgress: (part) => this.hear?.(part) });
    answer.catch(() => undefined); // the caller of ask() still sees the rejection
    this.early = { key: JSON.stringify([verb, body]), answer };
  }

  get kind(): Engine['kind'] {
    return this.engine.kind;
  }

  ask(verb: string, body: object, asking: Asking = {}): Promise<Answer> {
    const { early } = this;
    this.early = undefined;
    if (early?.key === JSON.stringify([verb, body])) {
      this.hear = asking.onProgress;
      if (asking.signal?.aborted) this.stopper.abort();
      asking.signal?.addEventListener('abort', () => this.stopper.abort(), { once: true });
      return early.answer;
    }
    if (early) this.stopper.abort();
    return this.engine.ask(verb, body, asking);
  }
}
