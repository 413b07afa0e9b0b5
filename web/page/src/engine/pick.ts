import { Browser } from './browser';
import type { Engine } from './engine';
import { Later } from './later';
import { Server, serverIsThere } from './server';

/// The native program where it serves the page, else WebAssembly in a worker. The latter starts to load at once: the page keeps it for
/// visits without a network anyway, and whether a server is there is known only when the server has said so.
export function pickEngine(base: string): Engine {
  const browser = new Browser();
  return new Later(
    serverIsThere(base).then((there): Engine => {
      if (!there) return browser;
      browser.close();
      return new Server(base);
    }),
  );
}
