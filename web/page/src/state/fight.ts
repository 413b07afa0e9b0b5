/// The addresses and titles of the views Battle and Gauntlet, and what they take over from other views.
import {
  limits, newShip, roles,
  type FightQuestion, type FightSide, type GauntletQuestion, type PackedSquad, type Question, type Rules, type Ship,
} from './question';
import { words } from '../words/en';

type Pairs = [string, string][];
type View = (FightQuestion | GauntletQuestion)['view'];

/// The keys of an address beside those of the rules. `z`: a squad, mine or a list; `against`: theirs; `m`, `t`: a ship of mine, of
/// theirs; `met`: how often a list is met; `mp`, `tp`, `p`: policies.
export const fightKeys: Record<View, string[]> = {
  battle: ['z', 'against', 'm', 't', 'flight', 'rounds', 'first', 'mp', 'tp'],
  gauntlet: ['z', 'met', 'flight', 'rounds', 'p'],
};

const idForm = /^[a-z0-9][a-z0-9-]{0,79}$/;
const pair = (key: string, value: string | number | undefined): Pairs => (value === undefined ? [] : [[key, String(value)]]);

export function fightPairs(question: FightQuestion | GauntletQuestion, shipText: (ship: Ship) => string): Pairs {
  const shared = [...pair('flight', question.flight), ...pair('rounds', question.rounds)];
  if (question.view === 'gauntlet') {
    const met = question.lists.map((list) => list.met);
    return [
      ...question.lists.flatMap(({ squad }) => pair('z', squad.packed)),
      ...pair('met', met.some((count) => count !== 1) ? met.join('.') : undefined),
      ...shared,
      ...pair('p', question.policy),
    ];
  }
  const side = ({ squad, ships }: FightSide, key: string, shipKey: string): Pairs =>
    squad ? pair(key, squad.packed) : ships.flatMap((ship) => pair(shipKey, shipText(ship)));
  return [
    ...side(question.mine, 'z', 'm'),
    ...side(question.theirs, 'against', 't'),
    ...shared,
    ...pair('first', question.first),
    ...pair('mp', question.myPolicy),
    ...pair('tp', question.theirPolicy),
  ];
}

export function readFight(view: View, pairs: Pairs, rules: Rules, ship: (text: string) => Ship, problem: (text: string) => void): FightQuestion | GauntletQuestion {
  const all = (key: string): string[] => pairs.filter(([name, value]) => name === key && value !== '').map(([, value]) => value);
  /// The first value of a key, if it is an acceptable one.
  const one = (key: string, good: (text: string) => boolean): string | undefined => {
    const [text] = all(key);
    if (text === undefined || good(text)) return text;
    problem(`${key}=${text}`);
    return undefined;
  };
  const id = (key: string): string | undefined => one(key, (text) => idForm.test(text));
  const rounds = one('rounds', (text) => /^[1-9]\d?$/.test(text));
  const flight = id('flight');
  const shared = { ...(flight ? { flight } : {}), ...(rounds ? { rounds: Number(rounds) } : {}), rules };
  if (view === 'gauntlet') {
    const met = one('met', (text) => /^\d{1,2}(\.\d{1,2})*$/.test(text))?.split('.').map(Number) ?? [];
    const squads = all('z');
    if (squads.length > limits.lists) problem('z=');
    const policy = id('p');
    return {
      view,
      lists: squads.slice(0, limits.lists).map((packed, i) => ({ squad: { text: '', packed }, met: met[i] ?? 1 })),
      ...(policy ? { policy } : {}),
      ...shared,
    };
  }
  const side = (key: string, shipKey: string): FightSide => {
    const [packed] = all(key);
    const ships = all(shipKey);
    if (ships.length > limits.fightShips || (packed && ships.length > 0)) problem(`${shipKey}=`);
    return packed ? { squad: { text: '', packed }, ships: [] } : { ships: ships.slice(0, limits.fightShips).map(ship) };
  };
  const first = one('first', (text) => text === 'mine' || text === 'theirs') as FightQuestion['first'];
  const [myPolicy, theirPolicy] = [id('mp'), id('tp')];
  return {
    view,
    mine: side('z', 'm'),
    theirs: side('against', 't'),
    ...(first ? { first } : {}),
    ...(myPolicy ? { myPolicy } : {}),
    ...(theirPolicy ? { theirPolicy } : {}),
    ...shared,
  };
}

/// The name of a squad: that of its XWS, or the words in which it is given, if they are few.
export function squadName({ text, packed }: PackedSquad): string {
  if (text.startsWith('{')) {
    try {
      return String((JSON.parse(text) as { name?: unknown }).name ?? '').slice(0, 60);
    } catch {
      return '';
    }
  }
  const line = text || (packed.startsWith('.') ? '' : packed);
  return line.length <= 60 && !/[\n/]/.test(line) ? line.replaceAll(/\s*\|\s*/g, ' + ') : '';
}

export function fightTitle(question: FightQuestion | GauntletQuestion, nameOf: (ship: Ship, role: 'attacker') => string, view: string): string {
  if (question.view === 'gauntlet') return `${view}: ${question.lists.map(({ squad }) => squadName(squad) || '?').join(', ')}`;
  const side = ({ squad, ships }: FightSide): string => (squad ? squadName(squad) : ships.map((ship) => nameOf(ship, 'attacker')).join(' + '));
  return words.fightTitle(side(question.mine), side(question.theirs));
}

/// The squads of a question, mine first.
export function squadsOf(question: Question): (PackedSquad | undefined)[] {
  switch (question.view) {
    case 'squad':
      return [question.squad, question.against];
    case 'compare':
      return [question.squad];
    case 'battle':
      return [question.mine.squad, question.theirs.squad];
    case 'gauntlet':
      return question.lists.map((list) => list.squad);
    default:
      return [];
  }
}

/// The pilots of a scenario as the sides of a fight. Dice and ships without a pilot stay behind: they are no squad.
function pilotSides(question: Question): [Ship[], Ship[]] {
  if (!('scenario' in question)) return [[], []];
  const { shooters, targets } = roles(question.scenario);
  const pilots = (ships: Ship[]): Ship[] =>
    ships.filter((ship) => ship.pilot).slice(0, limits.fightShips).map(({ pilot, ship, upgrades }) => newShip({ pilot: pilot!, ...(ship ? { ship } : {}), upgrades }));
  return [pilots(shooters), pilots(targets)];
}

export function carryFight(question: Question, view: View, rules: Rules): FightQuestion | GauntletQuestion {
  const squads = squadsOf(question);
  const shared = question.view === 'battle' || question.view === 'gauntlet' ? question : undefined;
  const more = { ...(shared?.flight ? { flight: shared.flight } : {}), ...(shared?.rounds ? { rounds: shared.rounds } : {}), rules };
  if (view === 'gauntlet') return { view, lists: squads.flatMap((squad) => (squad ? [{ squad, met: 1 }] : [])), ...more };
  const [mine, theirs] = pilotSides(question);
  const side = (squad: PackedSquad | undefined, ships: Ship[]): FightSide => (squad ? { squad, ships: [] } : { ships });
  return { view, mine: side(squads[0], mine), theirs: side(squads[1], theirs), ...more };
}
