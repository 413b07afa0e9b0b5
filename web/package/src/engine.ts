// The one interface to the engine: what the page and other programs ask. createEngine() of browser.ts and node.ts make one.

import type * as Answers from "./answers/index.js";

/** What can be asked (docs/format.md: Requests). */
export type Verb = keyof Answers.Requests;

/** The body of a request: a JSON object with the keys of docs/format.md (Requests). */
export type Body<V extends Verb = Verb> = Answers.Requests[V];

interface Told {
  run: Answers.RunAnswer;
  advise: Answers.AdviseAnswer;
  worth: Answers.WorthAnswer;
  order: Answers.OrderAnswer;
  squad: Answers.SquadAnswer;
  compare: Answers.CompareAnswer;
  durability: Answers.DurabilityAnswer;
  hazard: Answers.HazardAnswer;
  cards: Answers.CardsAnswers[Exclude<keyof Answers.CardsAnswers, "card">];
  ships: Answers.NamesAnswer;
  pilots: Answers.NamesAnswer;
  upgrades: Answers.NamesAnswer;
  weapons: Answers.NamesAnswer;
  rules: Answers.RulesAnswer;
}

/** What is answered to a verb; of verbs without a schema nothing is known. */
export type AnswerOf<V extends Verb> = V extends keyof Told ? Told[V] : unknown;

export interface AskOptions {
  /** Ends the question: its promise rejects with the reason of the signal. One that is being answered ends with its
   *  worker; the next question finds a new one. */
  signal?: AbortSignal;
  /** Hears of long sampled answers how many of the planned trials have been played. */
  onProgress?: (done: number, planned: number) => void;
  /** Of the questions of one name only the newest counts: those before it that have no answer yet reject with an
   *  AbortError. For questions that follow somebody typing. */
  latest?: string;
}

export interface Engine {
  /** Asks, and gives the answer parsed. Rejects with a SalvoError for a question that cannot be, and with an
   *  AbortError for one that was ended. */
  ask<V extends Verb>(verb: V, body: Body<V>, options?: AskOptions): Promise<AnswerOf<V>>;
  /** The same; the answer as text, byte for byte that of `salvo <verb> --format json`. */
  askText<V extends Verb>(verb: V, body: Body<V> | string, options?: AskOptions): Promise<string>;
  /** The version of salvo, as "0.1.0". */
  version(): Promise<string>;
  /** Ends the worker, and with it all questions. */
  close(): void;
}

/** What is wrong with a question. */
export class SalvoError extends Error {
  override readonly name = "SalvoError";
  constructor(
    /** One sentence: what is wrong, and what would be right. */
    message: string,
    /** Where, as "ships.red.tokens.focus"; may be empty. */
    readonly place: string,
    /** 2: the question cannot be; 3: it is too large for its budget; 4: salvo's own fault. */
    readonly status: number,
  ) {
    super(message);
  }
}

/** Where the parts of the engine lie, for those who serve them from elsewhere. */
export interface EngineOptions {
  /** salvo.wasm; usually beside this file. */
  wasm?: string | URL;
  /** profiles.pack; usually beside this file. */
  profiles?: string | URL;
  /** profiles-further.pack, which is loaded when a question needs it (older card sets, links of squad builders, the
   *  rules in words); usually beside this file. */
  further?: string | URL;
}
