// salvo-engine in browsers.
import { type Host, SplitEngine } from "./client.js";
import type { Engine, EngineOptions } from "./engine.js";
import { useEngine } from "./functions.js";
import type { FromWorker } from "./serve.js";

export * from "./engine.js";
export * from "./functions.js";

async function get(url: string | URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response;
}

const bytes = async (url: string | URL): Promise<Uint8Array> => new Uint8Array(await (await get(url)).arrayBuffer());

async function compile(url: string | URL): Promise<WebAssembly.Module> {
  const response = await get(url);
  // Streaming compilation fails unless the server sends the MIME type of WebAssembly.
  const streams = response.headers.get("Content-Type")?.startsWith("application/wasm") ?? false;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Starts an engine in its own worker. The module and the profiles start loading immediately. */
export function createEngine(options: EngineOptions = {}): Engine {
  const hostOf = (complete: boolean): Host => ({
    async parts() {
      const wasm = complete
        ? (options.furtherWasm ?? new URL("./salvo-further.wasm", import.meta.url))
        : (options.wasm ?? new URL("./salvo.wasm", import.meta.url));
      const [module, profiles] = await Promise.all([
        compile(wasm),
        bytes(options.profiles ?? new URL("./profiles.pack", import.meta.url)),
      ]);
      return { module, complete, profiles };
    },
    further: () => bytes(options.further ?? new URL("./profiles-further.pack", import.meta.url)),
    start(onMessage, onLost) {
      const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "salvo" });
      worker.addEventListener("message", (event: MessageEvent<FromWorker>) => onMessage(event.data));
      worker.addEventListener("error", (event) => onLost(event.message || "the worker cannot be started"));
      return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
    },
  });
  return new SplitEngine(hostOf, navigator.hardwareConcurrency ?? 1);
}

useEngine(createEngine);
