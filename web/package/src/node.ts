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

/** Starts an engine in its own worker thread, which keeps the process alive only while questions are pending. */
export function createEngine(options: EngineOptions = {}): Engine {
  const hostOf = (complete: boolean): Host => ({
    async parts() {
      const file = complete
        ? (options.furtherWasm ?? new URL("./salvo-further.wasm", import.meta.url))
        : (options.wasm ?? new URL("./salvo.wasm", import.meta.url));
      const [wasm, profiles] = await Promise.all([
        readFile(file),
        readFile(options.profiles ?? new URL("./profiles.pack", import.meta.url)),
      ]);
      return { module: await WebAssembly.compile(new Uint8Array(wasm)), complete, profiles: new Uint8Array(profiles) };
    },
    further: async () =>
      new Uint8Array(await readFile(options.further ?? new URL("./profiles-further.pack", import.meta.url))),
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
