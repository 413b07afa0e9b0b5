// The message loop of a worker: the first message says where the parts of the module are, or has them; the others are
// questions.
import { Module, type Parts } from "./module.js";

/** What a worker loads: URLs or, on Node, paths. Files that are not named lie beside the worker. */
export interface Sources {
  complete: boolean;
  wasm?: string | undefined;
  profiles?: string | undefined;
}

export type ToWorker =
  | { load: Sources }
  /** What an earlier worker has loaded. */
  | { parts: Parts }
  | { further: Uint8Array }
  | { id: number; verb: string; body: string; progress: boolean };

export type FromWorker =
  /** For the workers that replace this one. */
  | { loaded: Parts }
  | { ready: string }
  | { failed: string }
  | { id: number; status: number; text: string }
  | { id: number; done: number; planned: number }
  /** The module is unusable: the worker must be replaced. */
  | { id: number; broken: string };

/** What a worker has loaded, and the module opened with it. */
export interface Loaded {
  parts: Parts;
  module: Module;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns what takes the messages of a worker. `load` throws if the parts cannot be loaded or opened. */
export function serve(post: (message: FromWorker) => void, load: (sources: Sources) => Promise<Loaded>): (message: ToWorker) => void {
  let opened: Promise<Module> | undefined;
  const open = async (message: { load: Sources } | { parts: Parts }): Promise<Module> => {
    if ("parts" in message) return Module.open(message.parts);
    const { parts, module } = await load(message.load);
    post({ loaded: parts });
    return module;
  };
  return (message) => {
    if ("load" in message || "parts" in message) {
      opened = open(message);
      opened.then((module) => post({ ready: module.version() }), (error) => post({ failed: messageOf(error) }));
      return;
    }
    if ("further" in message) {
      opened?.then((module) => module.add(message.further)).catch((error) => post({ failed: messageOf(error) }));
      return;
    }
    const { id, verb, body, progress } = message;
    opened?.then(
      (module) => {
        try {
          const heard = progress ? (done: number, planned: number) => post({ id, done, planned }) : undefined;
          post({ id, ...module.request(verb, body, heard) });
        } catch (error) {
          post({ id, broken: messageOf(error) });
        }
      },
      () => {},
    );
  };
}

const cannotLoad = (error: unknown): never => {
  throw new Error(`the engine cannot be loaded: ${messageOf(error)}`);
};

/** Loads the parts beside each other and opens the module. The cards are a later part of the profiles, which not all need. */
export async function openParts(complete: boolean, module: Promise<WebAssembly.Module>, profiles: Promise<Uint8Array>, cards?: Promise<Uint8Array>): Promise<Loaded> {
  const asked = cards?.catch(() => undefined); // a question that needs them fetches them again, and says what fails
  const [compiled, bytes, more] = await Promise.all([module, profiles, asked]).catch(cannotLoad);
  const parts = { module: compiled, complete, profiles: bytes, ...(more && { further: [more] }) };
  return { parts, module: await Module.open(parts) };
}
