import type { Answer, Asking, Engine } from './engine';

/// An engine that is still being chosen. Questions wait for it, so that the page can be drawn at once.
export class DeferredEngine implements Engine {
  private arrived: Engine | undefined;
  constructor(private readonly coming: Promise<Engine>) {
    coming.then((engine) => (this.arrived = engine)).catch(() => undefined);
  }
  get kind(): Engine['kind'] {
    return this.arrived?.kind ?? 'browser';
  }
  ask(verb: string, body: object, asking?: Asking): Promise<Answer> {
    return this.arrived ? this.arrived.ask(verb, body, asking) : this.askLater(verb, body, asking);
  }
  private async askLater(verb: string, body: object, asking?: Asking): Promise<Answer> {
    const engine = await this.coming;
    if (asking?.signal?.aborted) throw new DOMException('stopped', 'AbortError');
    return engine.ask(verb, body, asking);
  }
}
