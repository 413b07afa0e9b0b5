import { Browser } from './browser';
import type { Engine } from './engine';
import { DeferredEngine } from './deferred';
import { Server, isServerAvailable } from './server';

/// Picks the native program if it serves the page, and WebAssembly in a worker otherwise. WebAssembly starts loading before the server
/// has answered: the page caches it for offline visits anyway, and waiting for the server would delay the first answer.
export function pickEngine(base: string): Engine {
  const browser = new Browser();
  return new DeferredEngine(
    isServerAvailable(base).then((there): Engine => {
      if (!there) return browser;
      browser.close();
      return new Server(base);
    }),
  );
}
