// A typed function for each verb. All of them share one engine.
export { sharedEngine, useEngine } from "./shared.js";
export * from "./answers/functions.js";
export { run as answer } from "./answers/functions.js";
export type * from "./answers/index.js";
