// What a worker does: opens the module with the parts it is sent first, then answers one question after the other.
import { Module, type Parts } from "./module.js";

export type ToWorker = { parts: Parts } | { further: Uint8Array } | { id: number; verb: string; body: string; progress: boolean };

export type FromWorker =
  | { ready: string }
  | { failed: string }
  | { id: number; status: number; text: string }
  | { id: number; done: number; planned: number }
  /** The module cannot go on; the worker has to be replaced. */
  | { id: number; broken: string };

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function serve(post: (message: FromWorker) => void): (message: ToWorker) => void {
  let opened: Promise<Module> | undefined;
  return (message) => {
    if ("parts" in message) {
      opened = Module.open(message.parts);
      opened.then((module) => post({ ready: module.version() }), (error) => post({ failed: said(error) }));
      return;
    }
    if ("further" in message) {
      opened?.then((module) => module.add(message.further)).catch((error) => post({ failed: said(error) }));
      return;
    }
    const { id, verb, body, progress } = message;
    opened?.then(
      (module) => {
        try {
          const heard = progress ? (done: number, planned: number) => post({ id, done, planned }) : undefined;
          post({ id, ...module.request(verb, body, heard) });
        } catch (error) {
          post({ id, broken: said(error) });
        }
      },
      () => {},
    );
  };
}
