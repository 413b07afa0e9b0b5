/// The answer types that the page uses. They are taken from the package, which generates them from docs/schemas.
import type * as Package from 'salvo-engine';

export type { AdviseAnswer, CompareAnswer, OrderAnswer, RunAnswer, SquadAnswer, WorthAnswer } from 'salvo-engine';

type Item<List> = List extends readonly (infer One)[] ? One : never;
type KeysOf<Forms> = Forms extends unknown ? keyof Forms : never;
/// Merges the forms of a union into one type. Members that some forms lack become optional.
type Some<Forms> = { [K in keyof Forms]: Forms[K] } & {
  [K in Exclude<KeysOf<Forms>, keyof Forms>]?: Forms extends unknown ? (K extends keyof Forms ? Forms[K] : never) : never;
};

/// What an answer assumes and leaves out. Not every answer has all of these members.
export type Caveats = Partial<Pick<Package.RunAnswer, 'assumed_facts' | 'unmodelled' | 'no_effect' | 'partly' | 'notes'>>;

export type ShipAnswer = Package.RunAnswer['ships'][string];
export type AttackAnswer = Item<Package.RunAnswer['attacks']>;

export type Play = Item<Package.AdviseAnswer['options']>;

export type SquadPilot = Item<Package.SquadAnswer['pilots']>;
export type SquadMatrix = NonNullable<Package.SquadAnswer['matrix']>['forth'];

export type PilotName = Item<NonNullable<Package.NamesAnswer['pilots']>>;
/// The attack of a ship is a text such as "3 front, 2 rear". It is a number for weapons, which the page does not ask for.
type ShipItem = Item<NonNullable<Package.NamesAnswer['ships']>>;
export type ShipName = Omit<ShipItem, 'attack'> & { attack?: Extract<ShipItem['attack'], string> };
export type UpgradeName = Item<NonNullable<Package.NamesAnswer['upgrades']>>;

/// The form for one ship, which is all that the page asks for.
export type DurabilityAnswer = Extract<Package.DurabilityAnswer, { name: string }>;

export type HazardAnswer = Some<Exclude<Package.HazardAnswer, { hazards: unknown }>>;
export type HazardEntry = Item<Extract<Package.HazardAnswer, { hazards: unknown }>['hazards']>;

export type CardPage = Package.CardsAnswers['card'];
export type CardListAnswer = Package.CardsAnswers['list'];
export type CardCheckAnswer = Package.CardsAnswers['checked'];
