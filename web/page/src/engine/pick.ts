import type { Engine } from './engine';
import { Later } from './later';
import { Server, serverIsThere } from './server';

/// The native program where it serves the page, else WebAssembly in a worker.
export function pickEngine(base: string): Engine {
  const picked = (async (): Promise<Engine> => {
    if (await serverIsThere(base)) return new Server(base);
    const { Browser } = await import('./browser');
    return new Browser();
  })();
  return new Later(picked);
}
