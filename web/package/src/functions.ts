// The verbs as functions, each with the type of its answer, asked of one engine that they share.
import type * as Answers from "./answers/index.js";
import type { AskOptions, Body, Engine, EngineOptions, Verb } from "./engine.js";

export type * from "./answers/index.js";

let make: ((options?: EngineOptions) => Engine) | undefined;
let shared: Engine | undefined;

/** For browser.ts and node.ts: how the shared engine is made, when it is first asked. */
export function useEngine(create: (options?: EngineOptions) => Engine): void {
  make = create;
}

/** The engine that the functions of this module ask. */
export function sharedEngine(): Engine {
  if (make === undefined) throw new Error("import salvo-engine, not a file of it");
  return (shared ??= make());
}

const asks =
  <Answer>() =>
  <V extends Verb>(verb: V) =>
  async (body: Body<V>, options?: AskOptions): Promise<Answer> =>
    (await sharedEngine().ask(verb, body, options)) as Answer;

/** What attacks do: a scenario, or `attack` and `defend` as SPECs. */
export const answer = asks<Answers.RunAnswer>()("run");
/** What to do with the dice on the table: the same, and `point`. */
export const advise = asks<Answers.AdviseAnswer>()("advise");
/** What tokens and cards are worth. */
export const worth = asks<Answers.WorthAnswer>()("worth");
/** Who should shoot first. */
export const order = asks<Answers.OrderAnswer>()("order");
/** What a squad does and survives. */
export const squad = asks<Answers.SquadAnswer>()("squad");
/** Loadouts beside each other. */
export const compare = asks<Answers.CompareAnswer>()("compare");
/** How many shots a ship survives. */
export const durability = asks<Answers.DurabilityAnswer>()("durability");
/** Bombs, mines, obstacles: dice outside attacks. */
export const hazard = asks<Answers.HazardAnswer>()("hazard");
/** Cards in plain words; a card of one's own, checked. */
export const cards = asks<Answers.CardsAnswers[Exclude<keyof Answers.CardsAnswers, "card">]>()("cards");
/** Ships, pilots, upgrades, weapons by name. */
export const ships = asks<Answers.NamesAnswer>()("ships");
export const pilots = asks<Answers.NamesAnswer>()("pilots");
export const upgrades = asks<Answers.NamesAnswer>()("upgrades");
export const weapons = asks<Answers.NamesAnswer>()("weapons");
/** The rules of an edition, and what is left out of them. */
export const rules = asks<Answers.RulesAnswer>()("rules");
