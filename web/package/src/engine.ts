// The interface of the engine for the page and other programs. createEngine() of browser.ts and node.ts implement it.

import type * as Answers from "./answers/index.js";

/** The name of a request (docs/format.md: Requests). */
export type Verb = keyof Answers.Requests;

/** The body of a request: a JSON object with the keys of docs/format.md (Requests). */
export type Body<V extends Verb = Verb> = Answers.Requests[V];

/** The answer to a verb. */
export type AnswerOf<V extends Verb> = Answers.AnswersOf[V];

export interface AskOptions {
  /** Cancels the question: its promise rejects with the reason of the signal. Cancelling a running question terminates
   *  the worker, and the next question gets a new one. */
  signal?: AbortSignal;
  /** Called during long sampled answers with the number of trials played and planned. */
  onProgress?: (done: number, planned: number) => void;
  /** Groups questions by name: a new one cancels the unanswered ones with the same name, which reject with an
   *  AbortError. For questions that change while the user types. */
  latest?: string;
  /** Asks in a second worker, where the device has cores to spare, so that other questions need not wait. For questions
   *  about battles and whatever else the complete module answers. */
  beside?: boolean;
}

export interface Engine {
  /** Asks a question and returns the parsed answer. Rejects with a SalvoError for an invalid question and with an
   *  AbortError for a cancelled one. */
  ask<V extends Verb>(verb: V, body: Body<V>, options?: AskOptions): Promise<AnswerOf<V>>;
  /** Like ask(), but returns the text of the answer, byte for byte that of `salvo <verb> --format json`. */
  askText<V extends Verb>(verb: V, body: Body<V> | string, options?: AskOptions): Promise<string>;
  /** The version of salvo, such as "1.0.0". */
  version(): Promise<string>;
  /** Terminates the worker and rejects all pending questions. */
  close(): void;
}

/** What is wrong with a question. */
export class SalvoError extends Error {
  override readonly name = "SalvoError";
  constructor(
    /** One sentence: what is wrong, and what would be right. */
    message: string,
    /** The key that is wrong, such as "ships.red.tokens.focus". May be empty. */
    readonly place: string,
    /** 2: the question is invalid; 3: it is too large for its budget; 4: an internal error. */
    readonly status: number,
  ) {
    super(message);
  }
}

/** The URLs of the engine's files, for programs that serve them from another place. */
export interface EngineOptions {
  /** salvo.wasm. By default beside this file. */
  wasm?: string | URL;
  /** salvo-further.wasm, loaded when a question needs it: luck, reviews, battles, gauntlets, the library of cards. By
   *  default beside this file. */
  furtherWasm?: string | URL;
  /** profiles.pack. By default beside this file. */
  profiles?: string | URL;
  /** profiles-cards.pack, loaded after the engine: ships, cards and names. By default beside this file. */
  cards?: string | URL;
  /** profiles-further.pack, loaded when a question needs it: older card sets, links of squad builders, the rules in
   *  words. By default beside this file. */
  further?: string | URL;
}
