// The message loop of a worker: the first message has the parts of the module, the others are questions.
import { Module, type Parts } from "./module.js";

export type ToWorker = { parts: Parts } | { further: Uint8Array } | { id: number; verb: string; body: string; progress: boolean };

export type FromWorker =
  | { ready: string }
  | { failed: string }
  | { id: number; status: number; text: string }
  | { id: number; done: number; planned: number }
  /** The module is unusable: the worker must be replaced. */
  | { id: number; broken: string };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function serve(post: (message: FromWorker) => void): (message: ToWorker) => void {
  let opened: Promise<Module> | undefined;
  return (message) => {
    if ("parts" in message) {
      opened = Module.open(message.parts);
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
