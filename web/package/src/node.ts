// salvo-engine on Node.
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { type Host, SplitEngine } from "./client.js";
import type { Engine, EngineOptions } from "./engine.js";
import { useEngine } from "./functions.js";
import type { FromWorker } from "./serve.js";

export * from "./engine.js";
export * from "./functions.js";

const textOf = (place: string | URL | undefined): string | undefined => place && `${place}`;

/** Starts an engine in its own worker thread, which keeps the process alive only while questions are pending. */
export function createEngine(options: EngineOptions = {}): Engine {
  const hostOf = (complete: boolean): Host => ({
    sources: { complete, wasm: textOf(complete ? options.furtherWasm : options.wasm), profiles: textOf(options.profiles) },
    async further(at) {
      const parts = [options.cards ?? new URL("./profiles-cards.pack", import.meta.url), options.further ?? new URL("./profiles-further.pack", import.meta.url)];
      return new Uint8Array(await readFile(parts[at]!));
    },
    start(onMessage, onLost) {
      const worker = new Worker(new URL("./node-worker.js", import.meta.url));
      worker.on("message", (message: FromWorker) => onMessage(message));
      worker.on("error", (error) => onLost(error.message));
      return {
        post: (message) => worker.postMessage(message),
        end: () => void worker.terminate(),
        hold: (on) => (on ? worker.ref() : worker.unref()),
      };
    },
  });
  return new SplitEngine(hostOf, availableParallelism());
}

useEngine(createEngine);
