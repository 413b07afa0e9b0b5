import { describe, expect, it } from 'vitest';
import { PrefetchingEngine } from '../../src/engine/prefetch';
import type { Answer, Asking, Engine } from '../../src/engine/engine';

/// An engine that records the questions and answers with their number.
class RecordingEngine implements Engine {
  readonly kind = 'browser';
  asked: { verb: string; asking: Asking }[] = [];
  async ask(verb: string, _body: object, asking: Asking = {}): Promise<Answer> {
    this.asked.push({ verb, asking });
    return { text: String(this.asked.length), data: {}, from: 'browser' };
  }
}

describe('a prefetched question', () => {
  const body = { attack: '3' };

  it('is used once, by the first request for the same', async () => {
    const engine = new RecordingEngine();
    const prefetching = new PrefetchingEngine(engine, 'run', body);
    const heard: number[] = [];
    const answer = prefetching.ask('run', { attack: '3' }, { onProgress: (part) => heard.push(part) });
    engine.asked[0]!.asking.onProgress?.(0.5);
    expect((await answer).text).toBe('1');
    expect(heard).toEqual([0.5]);
    expect((await prefetching.ask('run', body)).text).toBe('2');
  });

  it('is aborted with the request that uses it', async () => {
    const engine = new RecordingEngine();
    const stop = new AbortController();
    void new PrefetchingEngine(engine, 'run', body).ask('run', body, { signal: stop.signal });
    expect(engine.asked[0]!.asking.signal?.aborted).toBe(false);
    stop.abort();
    expect(engine.asked[0]!.asking.signal?.aborted).toBe(true);
  });

  it('is aborted if something else is asked first', async () => {
    const engine = new RecordingEngine();
    const prefetching = new PrefetchingEngine(engine, 'run', body);
    expect((await prefetching.ask('run', { attack: '2' })).text).toBe('2');
    expect(engine.asked[0]!.asking.signal?.aborted).toBe(true);
  });
});
