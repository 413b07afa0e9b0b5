// salvo-engine in browsers.
import { type Host, SplitEngine } from "./client.js";
import type { Engine, EngineOptions } from "./engine.js";
import { useEngine } from "./functions.js";
import { bytesOf } from "./get.js";
import type { FromWorker } from "./serve.js";

export * from "./engine.js";
export * from "./functions.js";

export interface BrowserOptions extends EngineOptions {
  /** A worker that runs worker.js by the name "salvo-eager". It loads the module and the profiles beside it as soon as it
   *  starts, so a page can start it before its own scripts have arrived; by the name "salvo-eager-cards" it loads ships and
   *  cards, too. `wasm`, `profiles` and `cards` do not apply to it. */
  worker?: Worker | undefined;
}

const textOf = (url: string | URL | undefined): string | undefined => url && new URL(url, document.baseURI).href;

/** Starts an engine in its own worker. The module and the profiles start loading immediately. */
export function createEngine(options: BrowserOptions = {}): Engine {
  let { worker: given } = options;
  const hostOf = (complete: boolean): Host => ({
    sources: { complete, wasm: textOf(complete ? options.furtherWasm : options.wasm), profiles: textOf(options.profiles) },
    async further(at) {
      const parts = [options.cards ?? new URL("./profiles-cards.pack", import.meta.url), options.further ?? new URL("./profiles-further.pack", import.meta.url)];
      return bytesOf(parts[at]!);
    },
    start(onMessage, onLost) {
      const early = complete ? undefined : given;
      if (early) given = undefined; // those that replace it are new
      const worker = early ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "salvo" });
      worker.addEventListener("message", (event: MessageEvent<FromWorker>) => onMessage(event.data));
      worker.addEventListener("error", (event) => onLost(event.message || "the worker cannot be started"));
      return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
    },
  });
  return new SplitEngine(hostOf, navigator.hardwareConcurrency ?? 1);
}

useEngine(createEngine);
