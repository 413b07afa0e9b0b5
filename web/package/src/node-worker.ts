// The worker of Node.
import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";

import { type Loaded, openParts, serve, type Sources, type ToWorker } from "./serve.js";

/** `place`: the URL of a file, or its path. */
async function read(place: string | URL): Promise<Uint8Array> {
  const isUrl = typeof place === "string" && place.startsWith("file:");
  return new Uint8Array(await readFile(isUrl ? new URL(place) : place));
}

function load({ complete, wasm, profiles }: Sources): Promise<Loaded> {
  const beside = new URL(complete ? "./salvo-further.wasm" : "./salvo.wasm", import.meta.url);
  const module = read(wasm ?? beside).then((bytes) => WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>));
  return openParts(complete, module, read(profiles ?? new URL("./profiles.pack", import.meta.url)));
}

const take = serve((message) => parentPort?.postMessage(message), load);
parentPort?.on("message", (message: ToWorker) => take(message));
