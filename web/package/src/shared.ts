// The engine that the functions of this package share, and how one of them asks it.
import type { AnswerOf, AskOptions, Body, Engine, EngineOptions, Verb } from "./engine.js";

let make: ((options?: EngineOptions) => Engine) | undefined;
let shared: Engine | undefined;

/** Sets how the shared engine is created on first use. Called by browser.ts and node.ts. */
export function useEngine(create: (options?: EngineOptions) => Engine): void {
  make = create;
}

/** The engine that all functions of this module use. */
export function sharedEngine(): Engine {
  if (make === undefined) throw new Error("import salvo-engine, not a file of it");
  return (shared ??= make());
}

/** The function that asks a verb. */
export const asks =
  <V extends Verb>(verb: V) =>
  async (body: Body<V>, options?: AskOptions): Promise<AnswerOf<V>> =>
    sharedEngine().ask(verb, body, options);
