/// What the page reads of answers; docs/schemas has all of it.

export interface Told {
  assumed_facts?: string[];
  unmodelled?: string[];
  no_effect?: string[];
  partly?: string[];
  notes?: string[];
}

export interface Damage {
  mean: number;
  mean_se?: number;
  pmf: number[];
  pmf_se?: number[];
  at_least: number[];
  at_least_se?: number[];
}

export interface ShipAnswer {
  damage: Damage;
  destroyed: number;
  destroyed_se?: number;
  tokens_left: Record<string, number>;
  hull: number[];
  shields: number[];
  states?: Record<string, number>;
}

export interface AttackAnswer {
  by: string;
  on: string;
  bonus?: string;
  second?: boolean;
  happens: number;
  attack_dice: number;
  defense_dice: number;
  hit_probability: number;
  mean_hits: number;
  mean_crits: number;
}

export interface RunAnswer extends Told {
  rules: string;
  cards?: string;
  cards_date?: string;
  engine: 'exact' | 'sample' | 'both';
  engine_reason?: string;
  objective: string;
  policy: { attacker: string; defender: string };
  value: number;
  value_se?: number;
  ships: Record<string, ShipAnswer>;
  attacks: AttackAnswer[];
  damage_deck?: { deck: string; core_would_add?: Record<string, number> };
  sample?: { trials: number; seed: number; generator: string };
  cross_check?: { agree: boolean; p: number };
}

export interface Play {
  play: string;
  value: number;
  loss: number;
  damage_loss?: number;
  now: number;
  later: number;
  chances: Record<string, { destroyed: number; damage: { mean: number; at_least: number[] } }>;
  then: { by: 'attacker' | 'defender'; play: string; probability: number }[];
  then_nothing: number;
}

export interface AdviseAnswer extends Told {
  objective: string;
  attack: number;
  by: string;
  on: string;
  to_move: 'attacker' | 'defender' | null;
  ship: string | null;
  situation: string;
  value: number;
  options: Play[];
  best: string;
  rolls?: { roll: string; probability: number; play: string; value: number; margin: number }[];
  plays?: { play: string; probability: number }[];
  no_decision?: number;
}

export interface CompareCell {
  against: string;
  weapon: string;
  figure: number;
  possible: boolean;
  engine: string;
  mean: number;
  hit: number;
  at_least: number[];
  destroyed: number | null;
}

export interface CompareAnswer extends Told {
  by: string;
  common: string[];
  against: { id: string; name: string }[];
  loadouts: ({
    rank: number;
    name: string;
    label: string;
    cost: number | null;
    average: number;
    behind: number;
    behind_se?: number;
    cells: CompareCell[];
  } & Told)[];
}

export interface WorthAnswer extends Told {
  worth: {
    ship: string;
    side: string;
    what: string;
    gain: number;
    change: { value: number; damage: { dealt: number; taken: number }; destroyed: { theirs: number; mine: number } };
  }[];
}

export interface PilotName {
  id: string;
  name: string;
  ship: string;
  initiative?: number;
  cost?: number;
  sets: string[];
}
export interface ShipName {
  id: string;
  name: string;
  size?: string;
  attack?: string;
  agility?: number;
  hull?: number;
  shields?: number;
  sets: string[];
}
export interface UpgradeName {
  id: string;
  name: string;
  slots?: string;
  cost?: string;
  sets: string[];
}

export interface CardPage {
  id: string;
  kind: string;
  summary: string;
  charges: number;
  weapon: string | null;
  effects: { window: string; side: string; may: boolean; summary: string; text: string; line: number }[];
  facts: { name: string; usual: boolean; meaning: string }[];
  omits: string[];
  partly: string[];
}

export interface OrderAnswer extends Told {
  orders: { order: string[]; attacks: number[]; value: number; loss: number }[];
}

export interface SquadPilot extends Told {
  id: string;
  name: string;
  ship_name: string;
  upgrades: string[];
  cost: number | null;
  summary: { damage: number | null; shots: number | null; damage_per_point: number | null; shots_per_point: number | null };
  offense: { weapon: string; range: number; tokens: string; against: string; possible: boolean; mean: number; hit: number; destroyed: number | null }[];
  durability: { from: string; tokens: string; mean_shots: number | null }[];
  worth: {
    id: string;
    cost: number | null;
    state: string;
    damage: number | null;
    shots: number | null;
    damage_per_point: number | null;
    shots_per_point: number | null;
    attacks?: { weapon: string; range: number; tokens: string; damage: number | null; damage_per_point: number | null }[];
    defenses?: { tokens: string; shots: number | null; shots_per_point: number | null }[];
  }[];
}

export interface SquadMatrix extends Told {
  range: number;
  tokens: string;
  rows: string[];
  columns: string[];
  cells: { weapon: string; possible: boolean; mean: number; hit: number; destroyed: number | null; mean_shots: number | null }[][];
}

export interface SquadAnswer extends Told {
  squad: { name: string; faction: string; ruleset: string; rules: string; cards: string; cards_date?: string; points: number | null; notes: string[] };
  references: { defenders: { id: string; name: string }[]; attackers: { id: string; name: string }[] };
  pilots: SquadPilot[];
  against?: { name: string };
  matrix?: { forth: SquadMatrix; back: SquadMatrix };
  worth_basis?: string;
  unknown: { path: string; kind: string; id: string; reason: string }[];
}

export interface DurabilityAnswer extends Told {
  name: string;
  refresh: string;
  round: number;
  health: number;
  mean_shots: number | null;
  mean_bound: number;
  destructible: boolean;
  quantiles: Record<string, number | null>;
  cdf: number[];
  rounds?: { mean: number | null; quantiles: Record<string, number | null>; cdf: number[] };
}

export interface HazardSituation {
  id: string;
  when: string;
  sizes: string[];
  effect: string;
  also: string[];
}
export interface HazardEntry {
  id: string;
  name: string;
  kind: string;
  omits: string[];
  situations: HazardSituation[];
  numbers: { id: string; meaning: string; least: number; most: number; usual: number }[];
}
export interface HazardAnswer extends Told {
  engine: string;
  hazard: { id: string; name: string; kind: string; omits: string[] };
  situations?: HazardSituation[];
  times?: number;
  ships?: Record<
    string,
    {
      name: string;
      size: string;
      situation: string;
      dice: number;
      damage: Damage;
      destroyed: number;
      hull: number[];
      shields: number[];
      faceup: { mean: number };
      tokens: Record<string, { pmf?: number[]; mean?: number; state?: string; chance?: number } | number[]>;
    }
  >;
  together?: { damage: Damage; destroyed: { mean: number; pmf: number[]; at_least: number[] } };
  win?: number;
  tie?: number;
  decided_by?: Record<string, number>;
  mean_rolls?: number;
}

export interface CardListAnswer {
  set: string;
  cards: { id: string; kind: string; summary: string; charges: number; facts: string[]; partly: string[] }[];
}

export interface CardCheckAnswer {
  checked: {
    good: boolean;
    error: string | null;
    card?: CardPage;
    notes?: string[];
    trial?: {
      words: string;
      objective: string;
      with: number;
      without: number;
      difference: number;
      changes: string[];
      assumed_facts: string[];
      scenarios_tried: number;
    };
  }[];
}
