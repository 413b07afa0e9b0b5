/// A game at the table as a plain object: its ships, what they have, the attack at hand, and the lines of the log so far
/// (docs/review.md). Every function returns a new game.
import type { Point } from '../question';
import { newPoint } from '../question';

export type Tokens = Record<string, number>;
/// A step of play in an attack: what was spent, and the dice that were rerolled.
export interface Step {
  spent: string[];
  from: string[];
  to: string[];
}

export interface Charges {
  left: number;
  most: number;
  /// How many come back at the end of a round.
  recovers: number;
}

export interface Fighter {
  /// The name in the log.
  name: string;
  player: 0 | 1;
  /// The ship as in the log, without tokens.
  spec: string;
  /// The tokens in the log's line of the ship, which return each round.
  returns: Tokens;
  /// 0 if the ship has no hull, so that it is never destroyed.
  hull: number;
  shields: number;
  damage: number;
  tokens: Tokens;
  /// The names of the ships that it has locked.
  locks: string[];
  /// Force, and the charges of cards by their ids.
  charges: Record<string, Charges>;
  /// Whether it has attacked in this round.
  hasShot: boolean;
  /// The ship whose attack destroyed it in this round.
  destroyedBy?: string;
}

export interface Attack {
  by: string;
  on?: string;
  range: number;
  obstructed: boolean;
  weapon?: string;
  /// Board facts that hold.
  facts: string[];
  rolled: string[];
  steps: Step[];
  /// Whether the attacker has said all that it spends.
  decided: boolean;
  defenseRolled: string[];
  defenseSteps: Step[];
  defended: boolean;
  /// Whether the attacker, asked once more after the defense, leaves it at that.
  closed?: boolean;
  /// The damage, if it was entered by hand.
  damage?: number;
}

export interface Game {
  players: [string, string];
  /// The lines of the log before the first round.
  head: string[];
  /// The lines of the log from the first round on.
  lines: string[];
  fighters: Fighter[];
  round: number;
  /// Whether the log has the line of this round.
  roundWritten: boolean;
  attack?: Attack;
  /// Whether the review is shown.
  over?: boolean;
}

/// Tokens that stay when a round ends.
const lasting = ['stress', 'strain', 'deplete', 'ion', 'cloak'];
/// Tokens that go when the ship has attacked, or been attacked.
const afterAttack = 'deplete';
const afterDefense = 'strain';

export const newFighter = (name: string, player: 0 | 1, spec: string, returns: Tokens = {}): Fighter => ({
  name, player, spec, returns, hull: 0, shields: 0, damage: 0, tokens: { ...returns }, locks: [], charges: {}, hasShot: false,
});

export const newAttack = (by: string): Attack => ({
  by, range: 2, obstructed: false, facts: [], rolled: [], steps: [], decided: false, defenseRolled: [], defenseSteps: [], defended: false,
});

export const health = (fighter: Fighter): number => fighter.hull + fighter.shields;
export const isGone = (fighter: Fighter): boolean => fighter.hull > 0 && fighter.damage >= health(fighter);
export const fighterOf = (game: Game, name: string | undefined): Fighter | undefined => game.fighters.find((fighter) => fighter.name === name);

export const setFighter = (game: Game, fighter: Fighter): Game => ({
  ...game,
  fighters: game.fighters.map((old) => (old.name === fighter.name ? fighter : old)),
});

/// The ids of a squad's ships as names of a log: a second ship of the same id is `id-2`, as `squad` lines name them.
export function namesFor(ids: string[], taken: Iterable<string>): string[] {
  const used = new Set(taken);
  return ids.map((id) => {
    let name = id;
    for (let n = 2; used.has(name); ++n) name = `${id}-${n}`;
    used.add(name);
    return name;
  });
}

export interface SquadShip {
  name: string;
  spec: string;
}

export function newGame(players: [string, string], squads: [SquadShip[], SquadShip[]], rules: string[] = []): Game {
  const head = [...rules, ...players.flatMap((player, i) => [`player ${player}`, ...squads[i as 0 | 1].map((ship) => `${ship.name}: ${ship.spec}`)])];
  const fighters = squads.flatMap((ships, i) => ships.map((ship) => newFighter(ship.name, i as 0 | 1, ship.spec)));
  return { players, head, lines: [], fighters, round: 1, roundWritten: false };
}

// ---------------------------------------------------------------- writing

const counted = (tokens: Tokens): string[] =>
  Object.entries(tokens).flatMap(([kind, count]) => (count > 0 ? [count === 1 ? kind : `${count} ${kind}`] : []));

/// The tokens of a ship in brackets, complete. A lock in them is on `other`.
function bracket(fighter: Fighter, other: string): string {
  const words = [...counted(fighter.tokens), ...(fighter.locks.includes(other) ? ['lock'] : [])];
  return `(${words.length > 0 ? words.join(' ') : 'none'})`;
}

export function roundLine(game: Game): string {
  const parts = game.fighters.flatMap((fighter) => {
    const words = [...counted(fighter.tokens), ...fighter.locks.map((name) => `lock=${name}`)];
    return words.length > 0 && !isGone(fighter) ? [`${fighter.name} ${words.join(' ')}`] : [];
  });
  return `round ${game.round}${parts.length > 0 ? `: ${parts.join('; ')}` : ''}`;
}

function sideText(rolled: string[], steps: Step[], decided: boolean): string {
  if (rolled.length === 0) return '?';
  const words = steps
    .filter((step) => step.spent.length + step.from.length > 0)
    .map((step) => [...step.spent, ...step.from, ...(step.to.length > 0 ? ['->', ...step.to] : [])].join(' '));
  return [rolled.join(' '), ...words, ...(decided || words.length > 0 ? [] : ['?'])].join('; ');
}

export function attackLine(game: Game, attack: Attack, damage: number): string {
  const [by, on] = [fighterOf(game, attack.by)!, fighterOf(game, attack.on)!];
  const how = [`r${attack.range}`, ...(attack.obstructed ? ['obstructed'] : []), ...weaponWords(by, attack), ...attack.facts];
  const sides = `${sideText(attack.rolled, attack.steps, attack.decided)} | ${sideText(attack.defenseRolled, attack.defenseSteps, attack.defended)}`;
  return `${by.name} ${bracket(by, on.name)} > ${on.name} ${bracket(on, by.name)} ${how.join(' ')}: ${sides} = ${damage}`;
}

/// The log as `salvo review` reads it.
export const logOf = (game: Game): string => [...game.head, '', ...game.lines, ''].join('\n');

// ---------------------------------------------------------------- play

const flat = (steps: Step[], key: 'spent' | 'from' | 'to'): string[] => steps.flatMap((step) => step[key]);
const pairs = (steps: Step[]): [string, string][] => steps.flatMap((step) => step.from.map((from, i): [string, string] => [from, step.to[i]!]));

/// The point of Should I? that an attack has reached.
export const pointOf = (attack: Attack): Point => ({
  ...newPoint(),
  rolled: attack.rolled,
  rerolled: pairs(attack.steps),
  spent: flat(attack.steps, 'spent'),
  defenseRolled: attack.defenseRolled,
  defenseRerolled: pairs(attack.defenseSteps),
  defenseSpent: flat(attack.defenseSteps, 'spent'),
  // With defense dice the engine knows who is next, unless the defender spends nothing more: then cards of the attacker follow.
  ...(attack.defenseRolled.length === 0 ? (attack.decided ? { toMove: 'defender' as const } : {}) : attack.defended ? { toMove: 'attacker' as const } : {}),
});

/// Removes what a ship spent. A lock is one on `other`.
function spend(fighter: Fighter, words: string[], other: string): Fighter {
  const next: Fighter = { ...fighter, tokens: { ...fighter.tokens }, charges: { ...fighter.charges } };
  for (const word of words) {
    const charges = next.charges[word];
    if (word === 'lock') next.locks = next.locks.filter((name) => name !== other);
    else if (charges) next.charges[word] = { ...charges, left: Math.max(0, charges.left - 1) };
    else if (next.tokens[word]) next.tokens[word] = next.tokens[word] - 1;
  }
  return next;
}

const without = (tokens: Tokens, kind: string): Tokens => (tokens[kind] ? { ...tokens, [kind]: tokens[kind] - 1 } : tokens);

/// Records the attack at hand: writes its line, and gives its tokens and its damage to the ships.
export function record(game: Game, damage: number): Game {
  const { attack } = game;
  const [by, on] = [fighterOf(game, attack?.by), fighterOf(game, attack?.on)];
  if (!attack || !by || !on) return game;
  const lines = [...game.lines, ...(game.roundWritten ? [] : [roundLine(game)]), attackLine(game, attack, damage)];
  const cost = attack.weapon && by.charges[attack.weapon] ? [attack.weapon] : [];
  const shot = spend(by, [...flat(attack.steps, 'spent'), ...cost], on.name);
  const hit = spend(on, flat(attack.defenseSteps, 'spent'), by.name);
  const { attack: _done, ...rest } = game;
  const next = { ...rest, lines, roundWritten: true };
  const victim = { ...hit, tokens: without(hit.tokens, afterDefense), damage: hit.damage + damage };
  return setFighter(
    setFighter(next, { ...shot, tokens: without(shot.tokens, afterAttack), hasShot: true }),
    isGone(victim) && !isGone(on) ? { ...victim, destroyedBy: by.name } : victim,
  );
}

/// Ends the round: tokens go by the rules, locks stay, Force and charges recover.
export function nextRound(game: Game): Game {
  const { attack: _dropped, ...rest } = game;
  return {
    ...rest,
    round: game.round + 1,
    roundWritten: false,
    fighters: game.fighters.map(({ destroyedBy: _gone, ...fighter }) => ({
      ...fighter,
      hasShot: false,
      tokens: { ...fighter.returns, ...Object.fromEntries(lasting.flatMap((kind) => (fighter.tokens[kind] ? [[kind, fighter.tokens[kind]]] : []))) },
      locks: fighter.locks.filter((name) => !isGone(fighterOf(game, name) ?? fighter)),
      charges: Object.fromEntries(
        Object.entries(fighter.charges).map(([kind, charges]) => [kind, { ...charges, left: Math.min(charges.most, charges.left + charges.recovers) }]),
      ),
    })),
  };
}

/// The SPEC of a ship as it is now, without its damage: a card without charges is left out. `lockOn`: the other ship of the attack.
export function specNow(fighter: Fighter, lockOn: string): string {
  const tokens = Object.entries(fighter.tokens).flatMap(([kind, count]) => (count > 0 ? [count === 1 ? kind : `${kind}=${count}`] : []));
  const { force } = fighter.charges;
  const cards = fighter.spec.split(/\s+/).filter((word) => fighter.charges[word]?.left !== 0);
  return [...cards, ...tokens, ...(force ? [`force=${force.left}`] : []), ...(fighter.locks.includes(lockOn) ? ['lock'] : [])].filter(Boolean).join(' ');
}

/// The weapon, stated for ships with upgrades, whose best weapon would shoot otherwise.
function weaponWords(by: Fighter, attack: Attack): string[] {
  const hasUpgrades = by.spec.split(/\s+/).some((word) => /^[a-z]/i.test(word) && !word.includes('='));
  return attack.weapon || hasUpgrades ? [`weapon=${attack.weapon ?? 'primary'}`] : [];
}

const attackWords = (by: Fighter, attack: Attack): string[] => [
  ...(attack.range === 2 ? [] : [`range=${attack.range}`]),
  ...(attack.obstructed ? ['obstructed'] : []),
  ...weaponWords(by, attack),
  ...attack.facts,
];

/// The body of a request about the attack at hand, or undefined while it has no target. `remaining` states the hull and the shields
/// that are left, for questions that take no damage.
export function attackBody(game: Game, attack: Attack, remaining = false): Record<string, unknown> | undefined {
  const [by, on] = [fighterOf(game, attack.by), fighterOf(game, attack.on)];
  if (!by || !on) return undefined;
  const left = remaining && on.hull > 0 && on.damage > 0 ? [`hull=${Math.max(1, on.hull - Math.max(0, on.damage - on.shields))}`, `shields=${Math.max(0, on.shields - on.damage)}`] : [];
  // The defender's SPEC takes no lock.
  const defender = specNow({ ...on, locks: [] }, by.name);
  const rules = Object.fromEntries(
    game.head.flatMap((line) => {
      const [, key, value] = /^(rules|cards)\s+(\S+)$/.exec(line) ?? [];
      return key && value ? [[key, value]] : [];
    }),
  );
  return { ...rules, attack: [[specNow(by, on.name), ...attackWords(by, attack)].join(' ')], defend: [[defender, ...left].join(' ')] };
}

// ---------------------------------------------------------------- reading

const tokenWords = [
  'focus', 'calculate', 'evade', 'force', 'energy', 'reinforce', 'strain', 'deplete', 'stress', 'tractor', 'ion', 'jam', 'cloak', 'disarm',
  'weapons-disabled',
];

/// "2 focus, evade lock=vader" as counts, and the names after lock=.
function readTokens(text: string): { tokens: Tokens; locks: string[] | undefined; bareLock: boolean } {
  const out = { tokens: {} as Tokens, locks: undefined as string[] | undefined, bareLock: false };
  let times = 1;
  for (const word of text.toLowerCase().split(/[\s,]+/).filter(Boolean)) {
    const [kind = '', value] = word.split('=');
    if (/^\d{1,2}$/.test(word)) {
      times = Number(word);
      continue;
    }
    if (kind === 'lock') {
      out.locks ??= [];
      if (value === undefined) out.bareLock = true;
      else if (value !== 'none') out.locks.push(value);
    } else if (kind !== 'none') {
      out.tokens[kind] = (out.tokens[kind] ?? 0) + (value === undefined ? times : Number(value) || 0);
    }
    times = 1;
  }
  return out;
}

/// The words that a side spent, from the steps after its dice.
function spentIn(side: string): string[] {
  return side
    .split(';')
    .slice(1)
    .flatMap((step) => step.split(','))
    .flatMap((part) => {
      const [before = '', after] = part.split('->');
      const many = (text: string): string[] => {
        const out: string[] = [];
        let times = 1;
        for (const word of text.trim().toLowerCase().split(/\s+/).filter(Boolean)) {
          if (/^\d{1,2}$/.test(word)) times = Number(word);
          else (out.push(...Array<string>(times).fill(word)), (times = 1));
        }
        return out;
      };
      const spent = many(before);
      const dice = after === undefined ? 0 : many(after).length;
      return spent.slice(0, spent.length - dice).filter((word) => word !== 'nothing' && word !== '?');
    });
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/// Reads a text log that `salvo review` has accepted. `damages`: the damage of the attack on each line, by its number from 1, as the
/// review reports it. `squads`: the ships of the log's `squad` lines, in order. Hull, shields and charges are not in a log.
export function readLog(text: string, damages: Map<number, number>, squads: SquadShip[][] = []): Game {
  const all = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const game: Game = { players: ['', ''], head: [], lines: [], fighters: [], round: 1, roundWritten: false };
  const players: string[] = [];
  const named = (word: string): Fighter | undefined => {
    const exact = game.fighters.find((fighter) => fighter.name === word);
    const part = plain(word);
    const fits = game.fighters.filter((fighter) => plain(fighter.name).includes(part) || plain(fighter.spec).includes(part));
    return exact ?? (part && fits.length === 1 ? fits[0] : undefined);
  };
  let player = 0 as 0 | 1;
  let squad = 0;
  let begun = false;
  all.forEach((whole, at) => {
    const line = whole.replace(/(^|\s)#.*$/, '').trim();
    const begins = /^[a-z]+/i.exec(line)?.[0].toLowerCase() ?? '';
    const attack = line.includes('>') && !(begins === 'squad' || begins === 'player');
    if (line !== '' && (attack || begins === 'round' || /^\S+ damage \d+$/i.test(line))) begun = true;
    if (begun) game.lines.push(whole.trimEnd());
    else game.head.push(whole.trimEnd());
    if (line === '') return;
    if (attack) return readAttack(game, named, line, damages.get(at + 1) ?? 0);
    const colon = line.indexOf(':');
    if (begins === 'round') {
      const [, number, rest = ''] = /^round\s+(\d+)\s*:?(.*)$/i.exec(line) ?? [];
      readRound(game, named, Number(number ?? game.round), rest);
    } else if (begins === 'player' && /^player\s/i.test(line)) {
      const name = line.slice(7).trim();
      if (!players.includes(name)) players.push(name);
      player = players.indexOf(name) === 0 ? 0 : 1;
    } else if (begins === 'squad' && /^squad\s/i.test(line)) {
      for (const ship of squads[squad++] ?? []) game.fighters.push(newFighter(ship.name, player, ship.spec));
    } else if (/^\S+ damage \d+$/i.test(line)) {
      const [name = '', , count] = line.split(/\s+/);
      const fighter = named(name);
      if (fighter) fighter.damage = Number(count);
    } else if (colon > 0 && !/\s/.test(line.slice(0, colon))) {
      const words = line.slice(colon + 1).trim().split(/\s+/).filter(Boolean);
      const isToken = (word: string): boolean => tokenWords.includes(word.split('=')[0]!);
      const { tokens } = readTokens(words.filter(isToken).join(' '));
      game.fighters.push(newFighter(line.slice(0, colon), player, words.filter((word) => !isToken(word)).join(' '), tokens));
    }
  });
  while (game.lines.at(-1) === '') game.lines.pop();
  while (game.head.at(-1) === '') game.head.pop();
  game.players = [players[0] ?? 'Ann', players[1] ?? 'Bob'];
  return game;
}

function readRound(game: Game, named: (word: string) => Fighter | undefined, round: number, rest: string): void {
  if (game.roundWritten) Object.assign(game, nextRound(game));
  game.round = round;
  game.roundWritten = true;
  for (const part of rest.split(';')) {
    const [name = '', ...words] = part.trim().split(/[\s,]+/);
    const fighter = named(name);
    if (!fighter) continue;
    const { tokens, locks } = readTokens(words.join(' '));
    fighter.tokens = tokens;
    if (locks) fighter.locks = locks.flatMap((word) => named(word)?.name ?? []);
  }
}

function readAttack(game: Game, named: (word: string) => Fighter | undefined, line: string, damage: number): void {
  const match = /^(\S+?)\s*(?:\(([^)]*)\))?\s*-?>\s*([^\s(:]+)\s*(?:\(([^)]*)\))?([^:]*):?(.*)$/.exec(line);
  const [by, on] = [named(match?.[1] ?? ''), named(match?.[3] ?? '')];
  if (!match || !by || !on) return;
  const tell = (fighter: Fighter, text: string | undefined, other: string): void => {
    if (text === undefined) return;
    const { tokens, locks, bareLock } = readTokens(text);
    fighter.tokens = Object.fromEntries(Object.entries(tokens).filter(([kind]) => kind !== 'force' && !/\d/.test(kind)));
    fighter.locks = locks ? [...locks.flatMap((word) => named(word)?.name ?? []), ...(bareLock ? [other] : [])] : fighter.locks.filter((name) => name !== other);
  };
  tell(by, match[2], on.name);
  tell(on, match[4], by.name);
  const [mine = '', theirs = ''] = match[6]!.replace(/=\s*\S+(\s+damage)?\s*$/, '').split('|');
  const weapon = /weapon=(\S+)/.exec(match[5]!)?.[1];
  const used = (fighter: Fighter, words: string[]): void => {
    // The maximum is not in the log: keep how many were spent until the ship is measured.
    for (const word of words) if (word === 'force' || !tokenWords.includes(word)) (fighter.charges[word] ??= { left: 0, most: 0, recovers: word === 'force' ? 1 : 0 }).left -= 1;
  };
  const mySpent = spentIn(mine).filter((word) => word !== 'lock');
  const theirSpent = spentIn(theirs).filter((word) => word !== 'lock');
  used(by, [...mySpent, ...(weapon && !weapon.startsWith('primary') ? [weapon] : [])]);
  used(on, theirSpent);
  const lower = (fighter: Fighter, words: string[]): void => {
    for (const word of words) if (fighter.tokens[word]) fighter.tokens[word] -= 1;
  };
  lower(by, mySpent);
  lower(on, theirSpent);
  if (spentIn(mine).includes('lock')) by.locks = by.locks.filter((name) => name !== on.name);
  by.tokens = without(by.tokens, afterAttack);
  on.tokens = without(on.tokens, afterDefense);
  by.hasShot = true;
  on.damage += damage;
  game.roundWritten = true;
}

/// Sets hull, shields and charges, which the engine knows. Charges that a log has spent stay spent.
export function measured(fighter: Fighter, hull: number, shields: number, charges: Record<string, { most: number; recovers: number }>): Fighter {
  return {
    ...fighter,
    hull,
    shields,
    charges: Object.fromEntries(
      Object.entries(charges).map(([kind, { most, recovers }]) => [kind, { most, recovers, left: Math.max(0, Math.min(most, most + Math.min(0, fighter.charges[kind]?.left ?? 0))) }]),
    ),
  };
}

/// The request of Should I? at the point that the attack at hand has reached.
export function adviseBody(game: Game, attack: Attack): Record<string, unknown> | undefined {
  const body = attackBody(game, attack);
  if (!body) return undefined;
  const point = pointOf(attack);
  const words = (list: string[]): string | undefined => (list.length > 0 ? list.join(' ') : undefined);
  const again = (list: [string, string][]): string | undefined => words(list.map(([from, to]) => `${from}=${to}`));
  const said = {
    rolled: words(point.rolled),
    rerolled: again(point.rerolled),
    spent: words(point.spent),
    defense_rolled: words(point.defenseRolled),
    defense_rerolled: again(point.defenseRerolled),
    defense_spent: words(point.defenseSpent),
    to_move: point.toMove,
  };
  const damage = fighterOf(game, attack.on)?.damage ?? 0;
  return {
    ...body,
    point: { attack: 1, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)), ...(damage > 0 ? { damage: { d: damage } } : {}) },
  };
}
