/// What the page reads of answers: the types of the package, which are made from docs/schemas. `Some` are those of an answer that
/// has several forms, of which the page looks which it has.
import type * as Package from 'salvo-engine';

export type { AdviseAnswer, CompareAnswer, OrderAnswer, RunAnswer, SquadAnswer, WorthAnswer } from 'salvo-engine';

type Item<List> = List extends readonly (infer One)[] ? One : never;
type KeysOf<Forms> = Forms extends unknown ? keyof Forms : never;
/// All members of the forms, those that not every form has as optional ones.
type Some<Forms> = { [K in keyof Forms]: Forms[K] } & {
  [K in Exclude<KeysOf<Forms>, keyof Forms>]?: Forms extends unknown ? (K extends keyof Forms ? Forms[K] : never) : never;
};

/// What answers tell of cards; not every one has all of it.
export type Caveats = Partial<Pick<Package.RunAnswer, 'assumed_facts' | 'unmodelled' | 'no_effect' | 'partly' | 'notes'>>;

export type ShipAnswer = Package.RunAnswer['ships'][string];
export type AttackAnswer = Item<Package.RunAnswer['attacks']>;

export type Play = Item<Package.AdviseAnswer['options']>;

export type SquadPilot = Item<Package.SquadAnswer['pilots']>;
export type SquadMatrix = NonNullable<Package.SquadAnswer['matrix']>['forth'];

export type PilotName = Item<NonNullable<Package.NamesAnswer['pilots']>>;
/// Of ships the attack is a text, "3 front, 2 rear"; of weapons, which the page does not ask for, a number.
type ShipItem = Item<NonNullable<Package.NamesAnswer['ships']>>;
export type ShipName = Omit<ShipItem, 'attack'> & { attack?: Extract<ShipItem['attack'], string> };
export type UpgradeName = Item<NonNullable<Package.NamesAnswer['upgrades']>>;

/// Of one ship: the page asks for no more.
export type DurabilityAnswer = Extract<Package.DurabilityAnswer, { name: string }>;

export type HazardAnswer = Some<Exclude<Package.HazardAnswer, { hazards: unknown }>>;
export type HazardEntry = Item<Extract<Package.HazardAnswer, { hazards: unknown }>['hazards']>;
export type HazardSituation = Item<HazardEntry['situations']>;

export type CardPage = Package.CardsAnswers['card'];
export type CardListAnswer = Package.CardsAnswers['list'];
export type CardCheckAnswer = Package.CardsAnswers['checked'];
