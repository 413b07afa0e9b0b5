// The worker of browsers. It fetches and compiles the module itself, while the page's own thread draws.
import { bytesOf, get } from "./get.js";
import { type Loaded, openParts, serve, type Sources, type ToWorker } from "./serve.js";

/** The name of a worker that loads the parts without being asked: browsers hold back messages while the page is busy. One whose
 *  name says so loads the cards, too, for a page whose first question needs them. */
const EAGER = "salvo-eager", EAGER_CARDS = "salvo-eager-cards";

async function compile(url: string | URL): Promise<WebAssembly.Module> {
  const response = await get(url);
  // Streaming compilation fails unless the server sends the MIME type of WebAssembly.
  const streams = response.headers.get("Content-Type")?.startsWith("application/wasm") ?? false;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function load({ complete, wasm, profiles }: Sources, cards?: URL): Promise<Loaded> {
  const beside = complete ? new URL("./salvo-further.wasm", import.meta.url) : new URL("./salvo.wasm", import.meta.url);
  return openParts(complete, compile(wasm ?? beside), bytesOf(profiles ?? new URL("./profiles.pack", import.meta.url)), cards && bytesOf(cards));
}

const withCards = self.name === EAGER_CARDS;
const early = self.name === EAGER || withCards ? load({ complete: false }, withCards ? new URL("./profiles-cards.pack", import.meta.url) : undefined) : undefined;
early?.catch(() => {}); // reported when the page asks for it

const take = serve((message) => postMessage(message), (sources) => early ?? load(sources));
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => take(data));
