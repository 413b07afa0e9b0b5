/// The question of each view as a plain object. Views are functions of it. address.ts converts it to an address, request.ts to a
/// request. This file does not depend on the rest of the page.

export type Tokens = Record<string, number>;

export interface Ship {
  /// Internal to the page, and unchanged when attackers are reordered. Requests and links number the ships instead.
  id: string;
  pilot?: string;
  ship?: string;
  attack?: number;
  agility?: number;
  hull?: number;
  shields?: number;
  size?: string;
  upgrades: string[];
  /// The tokens that the user has stated. Cards and the stat line determine the others.
  tokens: Tokens;
  /// The ids of the ships that it has a lock on.
  locks: string[];
  /// Percentages of tokens and of `lock` that are there by chance. Without one they are there.
  chances?: Record<string, number>;
  /// The damage cards that it starts with: ids of those that lie faceup, and the number of the others.
  faceup?: string[];
  facedown?: number;
}

/// Faces in place of dice, by the keys of an attack in a request.
export const faceKeys = ['rolled', 'results', 'defense_rolled', 'defense_results'] as const;
export type FaceKey = (typeof faceKeys)[number];

export type Facts = Record<string, boolean | number>;

/// Called to state a fact, or with `undefined` to return to the default.
export type OnFact = (name: string, value: Facts[string] | undefined) => void;

export interface Shot {
  by: string;
  /// The targets. If there are several, the attacker chooses one when the attack comes.
  on: string[];
  weapon?: string;
  range: number;
  obstructed: boolean;
  /// False if the attacker is outside the arc of the defender's reinforce tokens.
  reinforced: boolean;
  facts: Facts;
  initiative?: number;
  /// Percentages of `obstructed`, `reinforced` and facts that hold by chance.
  chances?: Record<string, number>;
  /// Percentages of ranges, which sum to 100. They replace `range`.
  ranges?: Record<string, number>;
  faces?: Partial<Record<FaceKey, string[]>>;
}

export const objectives = ['damage', 'kill', 'health', 'exchange'] as const;
export type Objective = (typeof objectives)[number];
export const policies = ['optimal', 'greedy', 'hold'] as const;
export type Policy = (typeof policies)[number];
export const editions = ['second-edition', 'first-edition'] as const;
export type Edition = (typeof editions)[number];
export const cardSets: Record<Edition, readonly string[]> = {
  'second-edition': ['xwa', '2025', 'legacy'],
  'first-edition': ['first-edition', 'first-edition-4.2.3'],
};

/// The options of a question. Missing ones have salvo's defaults.
export interface Rules {
  rules?: Edition;
  cards?: string;
  objective?: Objective;
  deck?: string;
  attackerPolicy?: Policy;
  defenderPolicy?: Policy;
  engine?: 'exact' | 'sample' | 'both';
  trials?: number;
  seed?: number;
}

export interface Scenario {
  ships: Ship[];
  shots: Shot[];
  rules: Rules;
}

export type Side = 'attacker' | 'defender';

/// The position within an attack: what has been rolled, rerolled and spent so far.
export interface Point {
  attack: number;
  rolled: string[];
  rerolled: [string, string][];
  spent: string[];
  defenseRolled: string[];
  defenseRerolled: [string, string][];
  defenseSpent: string[];
  toMove?: Side;
  /// The damage that each ship suffered before this attack, by id.
  damage: Record<string, number>;
}

export const figures = ['mean', 'hit', 'destroyed', 'per_point'] as const;

export interface AttackQuestion {
  view: 'attack';
  scenario: Scenario;
}
export interface AdviseQuestion {
  view: 'advise';
  scenario: Scenario;
  point: Point;
}
/// An attack that was played.
export interface LuckQuestion {
  view: 'luck';
  scenario: Scenario;
  point: Point;
  /// The damage that the defender suffered, if it is stated.
  damage?: number;
  /// Whose luck is asked for.
  me: Side;
}
export interface Loadout {
  ship: Ship;
  /// How the loadout shoots. `by` and `on` are unused.
  shot: Shot;
  /// The number of attacks, one after another.
  times: number;
}
export interface CompareQuestion {
  view: 'compare';
  items: Loadout[];
  /// A squad whose ships are further loadouts.
  squad?: PackedSquad;
  targets: Ship[];
  by: string;
  rules: Rules;
}
/// A squad as pasted: XWS or a builder's link. `packed` is its form in an address.
export interface PackedSquad {
  text: string;
  packed: string;
}
export interface SquadQuestion {
  view: 'squad';
  squad?: PackedSquad;
  against?: PackedSquad;
  range: number;
  rules: Rules;
}
/// One side of a fight: a squad, or ships one by one.
export interface FightSide {
  squad?: PackedSquad;
  ships: Ship[];
}
/// What a fight and a gauntlet share. Missing values have salvo's defaults.
interface FightRules {
  flight?: string;
  /// The maximum number of rounds.
  rounds?: number;
  rules: Rules;
}
/// The question of `salvo battle`.
export interface FightQuestion extends FightRules {
  view: 'battle';
  mine: FightSide;
  theirs: FightSide;
  first?: 'mine' | 'theirs';
  myPolicy?: string;
  theirPolicy?: string;
}
export interface GauntletQuestion extends FightRules {
  view: 'gauntlet';
  /// The lists, and how often each is met.
  lists: { squad: PackedSquad; met: number }[];
  policy?: string;
}
export interface SurviveQuestion {
  view: 'survive';
  scenario: Scenario;
  refresh?: 'shot' | 'round' | 'never';
}
export interface HazardQuestion {
  view: 'hazards';
  hazard: string;
  ships: Ship[];
  situation?: string;
  numbers: Record<string, number>;
  times: number;
  rules: Rules;
}
export interface CardsQuestion {
  view: 'cards';
  search: string;
  kind?: string;
  partly: boolean;
  show?: string;
  rules: Rules;
}
/// A game at the table. The browser's storage holds it; the address names only what to begin with if there is none.
export interface PlayQuestion {
  view: 'play';
  begin?: 'example' | 'log';
  rules: Rules;
}
/// What do you want to know?
export interface HomeQuestion {
  view: 'home';
  rules: Rules;
}
export type Question =
  | HomeQuestion
  | AttackQuestion
  | AdviseQuestion
  | LuckQuestion
  | PlayQuestion
  | CompareQuestion
  | SquadQuestion
  | FightQuestion
  | GauntletQuestion
  | SurviveQuestion
  | HazardQuestion
  | CardsQuestion;
export const rulesOf = (question: Question): Rules => ('rules' in question ? question.rules : question.scenario.rules);
export type View = Question['view'];
export const views: readonly View[] = ['home', 'attack', 'advise', 'luck', 'compare', 'squad', 'battle', 'gauntlet', 'survive', 'play', 'hazards', 'cards'];

/// Upper limits, so that no link or paste makes an endless page.
export const limits = { shots: 12, targets: 6, loadouts: 6, fightShips: 8, lists: 12, upgrades: 12, tokens: 99, dice: 20, faces: 31, faceup: 20, trials: 10_000_000 };

let made = 0;
export const newId = (): string => `s${++made}`;

export const newShip = (more: Partial<Ship> = {}): Ship => ({ id: newId(), upgrades: [], tokens: {}, locks: [], ...more });
export const newShot = (by: string, on: string[], more: Partial<Shot> = {}): Shot => ({
  by,
  on,
  range: 2,
  obstructed: false,
  reinforced: true,
  facts: {},
  ...more,
});

export const newPoint = (attack = 1): Point => ({
  attack,
  rolled: [],
  rerolled: [],
  spent: [],
  defenseRolled: [],
  defenseRerolled: [],
  defenseSpent: [],
  damage: {},
});

export function newScenario(): Scenario {
  const target = newShip({ ship: 'tielnfighter', tokens: { evade: 1 } });
  const shooter = newShip({ ship: 't65xwing', tokens: { focus: 1 } });
  return { ships: [shooter, target], shots: [newShot(shooter.id, [target.id])], rules: {} };
}

export const shipOf = (scenario: Scenario, id: string): Ship | undefined => scenario.ships.find((ship) => ship.id === id);

export interface Roles {
  /// The side that shoots first, in the order of their first attacks.
  shooters: Ship[];
  /// The other side: first the ships that are shot at, then those that only shoot.
  targets: Ship[];
  /// The targets that are shot at.
  victims: Ship[];
  /// The ships that take part in no attack.
  friends: Ship[];
}

/// Assigns ships to sides: each attack is between opponents, and the first attacker belongs to the shooters.
export function roles(scenario: Scenario): Roles {
  const mine = new Set<string>(scenario.shots.slice(0, 1).map((shot) => shot.by));
  const theirs = new Set<string>();
  for (let known = -1; known !== mine.size + theirs.size; ) {
    known = mine.size + theirs.size;
    for (const { by, on } of scenario.shots) {
      const ours = mine.has(by) || on.some((id) => theirs.has(id));
      if (!ours && !theirs.has(by) && !on.some((id) => mine.has(id))) continue;
      (ours ? mine : theirs).add(by);
      for (const id of on) (ours ? theirs : mine).add(id);
    }
  }
  const order = [...scenario.shots.map((shot) => shot.by), ...scenario.shots.flatMap((shot) => shot.on)];
  const known = (id: string): Ship[] => scenario.ships.filter((ship) => ship.id === id);
  const shotAt = new Set(scenario.shots.flatMap((shot) => shot.on));
  const victims = scenario.ships.filter((ship) => theirs.has(ship.id) && shotAt.has(ship.id));
  const answering = [...new Set(order)].filter((id) => theirs.has(id) && !shotAt.has(id)).flatMap(known);
  return {
    shooters: [...new Set(order)].filter((id) => mine.has(id)).flatMap(known),
    targets: [...victims, ...answering],
    victims,
    friends: scenario.ships.filter((ship) => !order.includes(ship.id)),
  };
}

/// The keys of the ships in requests and links: a1, a2, ... for shooters, d (or d1, d2, ...) for targets, w1, ... for friends.
export function keysOf(scenario: Scenario): Map<string, string> {
  const { shooters, targets, friends } = roles(scenario);
  const keys = new Map<string, string>();
  shooters.forEach((ship, i) => keys.set(ship.id, `a${i + 1}`));
  targets.forEach((ship, i) => keys.set(ship.id, targets.length === 1 ? 'd' : `d${i + 1}`));
  friends.forEach((ship, i) => keys.set(ship.id, `w${i + 1}`));
  return keys;
}
