// A typed function for each verb. All of them share one engine.
import type { AnswerOf, AskOptions, Body, Engine, EngineOptions, Verb } from "./engine.js";

export type * from "./answers/index.js";

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

const asks =
  <V extends Verb>(verb: V) =>
  async (body: Body<V>, options?: AskOptions): Promise<AnswerOf<V>> =>
    sharedEngine().ask(verb, body, options);

/** What attacks do: a scenario, or `attack` and `defend` as SPECs. */
export const answer = asks("run");
/** What to do with the dice on the table: a request like that of answer(), with `point`. */
export const advise = asks("advise");
/** What tokens and cards are worth. */
export const worth = asks("worth");
/** Who should shoot first. */
export const order = asks("order");
/** What a squad does and survives. */
export const squad = asks("squad");
/** Compares loadouts. */
export const compare = asks("compare");
/** How many shots a ship survives. */
export const durability = asks("durability");
/** Bombs, mines, obstacles: dice outside attacks. */
export const hazard = asks("hazard");
/** Cards in plain words, and checks of home-made cards. */
export const cards = asks("cards");
/** The luck of one attack that was played. */
export const luck = asks("luck");
/** A game that was played: luck and errors. */
export const review = asks("review");
/** Who wins: two squads, round after round. */
export const battle = asks("battle");
/** Which list: squads, each against each. */
export const gauntlet = asks("gauntlet");
/** Ships, pilots, upgrades, weapons by name. */
export const ships = asks("ships");
export const pilots = asks("pilots");
export const upgrades = asks("upgrades");
export const weapons = asks("weapons");
/** The rules of an edition, and what is left out of them. */
export const rules = asks("rules");
