/// Converts a question to its address, such as `#v1/attack?a=wedgeantilles.predator~f1l1r1&d=:tielnfighter~f1e1`, and back.
///
/// A ship is `SUBJECT.upgrade.upgrade~SHORT,WORD,WORD`. The subject is a number of dice, `pilot`, `pilot:ship` or `:ship`. SHORT
/// counts focus (f), calculate (c), evade (e) and locks on the first target (l), and has the range (r). Words are `force=2`,
/// `lock=d2`, `hull=3`, `weapon=protontorpedoes`, `obstructed`, a board fact, or `!fact` for a fact that does not hold;
/// `p:focus=50` is a chance in percent, `p:range=1:20_2:80` chances of ranges, `rolled=hfb`, `results=`, `drolled=`, `dresults=` faces in
/// place of dice, `faceup=structural-damage.direct-hit` and `facedown=1` damage cards from before.
/// `a=` is a ship and its attack on all targets, `n=` a ship whose attacks are all listed by `x=`, `d=` a target, `e=` a ship of the
/// other side that only shoots, `w=` a friend that only helps, `x=BY:ON~...` a further attack.
/// Unknown parts of a link are left out and reported. Old links must keep their meaning, so a changed format becomes `v2`.
import { fightKeys, fightPairs, readFight } from './fight';
import type * as Requests from './import-further';
import {
  cardSets,
  editions,
  faceKeys,
  figures,
  keysOf,
  limits,
  newScenario,
  newPoint,
  newShip,
  newShot,
  objectives,
  policies,
  roles,
  shipOf,
  views,
  type Scenario,
  type Facts,
  type Loadout,
  type PackedSquad,
  type Point,
  type Question,
  type Rules,
  type Ship,
  type Shot,
  type View,
} from './question';

export interface Read {
  question: Question;
  /// The parts of the link that were not understood, verbatim.
  problems: string[];
}

const shortTokens = { f: 'focus', c: 'calculate', e: 'evade' } as const;
/// The kinds of tokens of both editions. Any other word with a number is a board fact.
export const tokenKinds = [
  'focus', 'calculate', 'evade', 'force', 'energy', 'reinforce', 'strain', 'deplete', 'stress', 'tractor', 'ion', 'jam', 'cloak',
  'disarm', 'weapons-disabled',
];
const idForm = /^[a-z0-9][a-z0-9-]{0,79}$/;
const weaponForm = /^[a-z0-9][a-z0-9:-]{0,79}$/;
const factForm = /^[a-z][a-z0-9-]{0,59}$/;
const sizes = ['small', 'medium', 'large', 'huge', 'remote'];

const letters: Record<string, string> = { h: 'hit', c: 'crit', f: 'focus', b: 'blank', e: 'evade' };
const letterOf = (face: string): string => Object.entries(letters).find(([, name]) => name === face)?.[0] ?? '';

/// The faces of a word such as `rolled=hfb` or `dresults=e`.
function facesOf(key: string, value: string | undefined): Shot['faces'] | undefined {
  const name = faceKeys.find((other) => other.replace('defense_', 'd') === key);
  return name && value !== undefined ? { [name]: [...value.slice(0, limits.faces)].flatMap((letter) => letters[letter] ?? []) } : undefined;
}

// ---------------------------------------------------------------- writing

function shipText(ship: Ship, role: 'attacker' | 'defender', lockWords: string[], shot?: Shot): string {
  const dice = role === 'attacker' ? ship.attack : ship.agility;
  const bare = !ship.pilot && !ship.ship;
  const subject = bare ? String(dice ?? '') : `${ship.pilot ?? ''}${ship.ship ? `:${ship.ship}` : ''}`;
  let short = '';
  const words: string[] = [];
  for (const [letter, kind] of Object.entries(shortTokens)) {
    const count = ship.tokens[kind];
    if (count !== undefined) short += `${letter}${count}`;
  }
  for (const lock of lockWords) lock === '' ? (short += 'l1') : words.push(`lock=${lock}`);
  if (shot && shot.range !== 2) short += `r${shot.range}`;
  for (const [kind, count] of Object.entries(ship.tokens)) {
    if (!Object.values(shortTokens).includes(kind as 'focus')) words.push(`${kind}=${count}`);
  }
  if (role === 'attacker') {
    if (!bare && ship.attack !== undefined) words.push(`attack=${ship.attack}`);
    if (ship.agility !== undefined) words.push(`agility=${ship.agility}`);
  } else {
    if (ship.attack !== undefined) words.push(`attack=${ship.attack}`);
    if (!bare && ship.agility !== undefined) words.push(`agility=${ship.agility}`);
  }
  for (const key of ['hull', 'shields', 'size'] as const) if (ship[key] !== undefined) words.push(`${key}=${ship[key]}`);
  if (ship.faceup?.length) words.push(`faceup=${ship.faceup.join('.')}`);
  if (ship.facedown) words.push(`facedown=${ship.facedown}`);
  words.push(...chanceWords(ship.chances));
  if (shot) words.push(...shotWords(shot));
  const tail = [short, ...words].join(',');
  return [subject, ...ship.upgrades].join('.') + (tail ? `~${tail}` : '');
}

/// Chances in percent, such as `p:focus=50`.
const chanceWords = (chances: Record<string, number> = {}): string[] => Object.entries(chances).map(([key, percent]) => `p:${key}=${percent}`);

function shotWords(shot: Shot): string[] {
  const words: string[] = chanceWords(shot.chances);
  if (shot.ranges) words.push(`p:range=${Object.entries(shot.ranges).map(([range, percent]) => `${range}:${percent}`).join('_')}`);
  for (const [key, faces] of Object.entries(shot.faces ?? {})) words.push(`${key.replace('defense_', 'd')}=${faces.map(letterOf).join('')}`);
  if (shot.obstructed) words.push('obstructed');
  if (!shot.reinforced) words.push('reinforced=0');
  if (shot.weapon) words.push(`weapon=${shot.weapon}`);
  if (shot.initiative !== undefined) words.push(`initiative=${shot.initiative}`);
  for (const [name, value] of Object.entries(shot.facts)) words.push(value === true ? name : value === false ? `!${name}` : `${name}=${value}`);
  return words;
}

type Pairs = [string, string][];

function scenarioPairs(scenario: Scenario): Pairs {
  const keys = keysOf(scenario);
  const { targets, victims, friends, shooters } = roles(scenario);
  const pairs: Pairs = [];
  const lockWords = (ship: Ship): string[] =>
    ship.locks.flatMap((id) => (id === targets[0]?.id ? [''] : (keys.get(id) ?? [])));
  const written = new Set<string>();
  for (const shot of scenario.shots) {
    const ship = shipOf(scenario, shot.by);
    if (!ship) continue;
    const everyone = shot.on.length === victims.length && victims.every((target) => shot.on.includes(target.id));
    if (shooters.includes(ship) && !written.has(ship.id) && everyone) {
      pairs.push(['a', shipText(ship, 'attacker', lockWords(ship), shot)]);
    } else {
      if (shooters.includes(ship) && !written.has(ship.id)) pairs.push(['n', shipText(ship, 'attacker', lockWords(ship))]);
      const on = shot.on.map((id) => keys.get(id) ?? '').join('.');
      const tail = [shot.range === 2 ? '' : `r${shot.range}`, ...shotWords(shot)].join(',');
      pairs.push(['x', `${keys.get(shot.by) ?? ''}:${on}${tail ? `~${tail}` : ''}`]);
    }
    written.add(ship.id);
  }
  for (const ship of shooters) if (!written.has(ship.id)) pairs.push(['n', shipText(ship, 'attacker', lockWords(ship))]);
  const locksOf = (ship: Ship): string[] => ship.locks.flatMap((id) => keys.get(id) ?? []);
  for (const ship of targets) {
    const role = victims.includes(ship) ? 'defender' : 'attacker';
    pairs.push([role === 'defender' ? 'd' : 'e', shipText(ship, role, locksOf(ship))]);
  }
  for (const ship of friends) pairs.push(['w', shipText(ship, 'attacker', lockWords(ship))]);
  return pairs;
}

function rulePairs(rules: Rules): Pairs {
  const all: [string, string | number | undefined][] = [
    ['rules', rules.rules],
    ['cards', rules.cards],
    ['o', rules.objective],
    ['deck', rules.deck],
    ['ap', rules.attackerPolicy],
    ['dp', rules.defenderPolicy],
    ['engine', rules.engine],
    ['trials', rules.trials],
    ['seed', rules.seed],
  ];
  return all.flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)] as [string, string]]));
}

function pointPairs(point: Point, keys: Map<string, string>): Pairs {
  const pairs: Pairs = [];
  const dice = (faces: string[]): string => faces.map(letterOf).join('');
  const rerolls = (list: [string, string][]): string => list.map(([from, to]) => letterOf(from) + letterOf(to)).join('.');
  if (point.attack !== 1) pairs.push(['n', String(point.attack)]);
  if (point.rolled.length) pairs.push(['r', dice(point.rolled)]);
  if (point.rerolled.length) pairs.push(['rr', rerolls(point.rerolled)]);
  if (point.spent.length) pairs.push(['s', point.spent.join('.')]);
  if (point.defenseRolled.length) pairs.push(['dr', dice(point.defenseRolled)]);
  if (point.defenseRerolled.length) pairs.push(['drr', rerolls(point.defenseRerolled)]);
  if (point.defenseSpent.length) pairs.push(['ds', point.defenseSpent.join('.')]);
  if (point.toMove) pairs.push(['to', point.toMove]);
  const damage = Object.entries(point.damage).flatMap(([id, count]) => (count > 0 && keys.has(id) ? [`${keys.get(id)}:${count}`] : []));
  if (damage.length) pairs.push(['dm', damage.join(',')]);
  return pairs;
}

function questionPairs(question: Question): Pairs {
  switch (question.view) {
    case 'attack':
      return [...scenarioPairs(question.scenario), ...rulePairs(question.scenario.rules)];
    case 'advise':
      return [
        ...scenarioPairs(question.scenario),
        ...pointPairs(question.point, keysOf(question.scenario)).map(([key, value]) => [`p${key}`, value] as [string, string]),
        ...rulePairs(question.scenario.rules),
      ];
    case 'luck':
      return [
        ...scenarioPairs(question.scenario),
        ...pointPairs(question.point, keysOf(question.scenario)).map(([key, value]) => [`p${key}`, value] as [string, string]),
        ...(question.damage === undefined ? [] : ([['dmg', String(question.damage)]] as Pairs)),
        ...(question.me === 'attacker' ? [] : ([['me', question.me]] as Pairs)),
        ...rulePairs(question.scenario.rules),
      ];
    case 'play':
      return question.begin ? [['begin', question.begin]] : [];
    case 'home':
      return [];
    case 'survive':
      return [
        ...scenarioPairs(question.scenario),
        ...(question.refresh ? ([['refresh', question.refresh]] as Pairs) : []),
        ...rulePairs(question.scenario.rules),
      ];
    case 'compare': {
      const item = (loadout: Loadout): string => {
        const text = shipText(loadout.ship, 'attacker', loadout.ship.locks.length > 0 ? [''] : [], loadout.shot);
        return loadout.times > 1 ? `${text}${text.includes('~') ? '' : '~'},x=${loadout.times}` : text;
      };
      return [
        ...question.items.map((loadout) => ['i', item(loadout)] as [string, string]),
        ...(question.squad ? ([['z', question.squad.packed]] as Pairs) : []),
        ...question.targets.map((ship) => ['d', shipText(ship, 'defender', [])] as [string, string]),
        ...(question.by === 'mean' ? [] : ([['by', question.by]] as Pairs)),
        ...rulePairs(question.rules),
      ];
    }
    case 'squad':
      return [
        ...(question.squad ? ([['z', question.squad.packed]] as Pairs) : []),
        ...(question.against ? ([['against', question.against.packed]] as Pairs) : []),
        ...(question.range === 2 ? [] : ([['range', String(question.range)]] as Pairs)),
        ...rulePairs(question.rules),
      ];
    case 'battle':
    case 'gauntlet':
      return [...fightPairs(question, (ship) => shipText(ship, 'attacker', [])), ...rulePairs(question.rules)];
    case 'hazards':
      return [
        ['h', question.hazard],
        ...question.ships.map((ship) => ['d', shipText(ship, 'defender', [])] as [string, string]),
        ...(question.situation ? ([['case', question.situation]] as Pairs) : []),
        ...Object.entries(question.numbers).map(([name, value]) => ['set', `${name}:${value}`] as [string, string]),
        ...(question.times > 1 ? ([['times', String(question.times)]] as Pairs) : []),
        ...rulePairs(question.rules),
      ];
    case 'cards':
      return [
        ...(question.search ? ([['q', question.search]] as Pairs) : []),
        ...(question.kind ? ([['kind', question.kind]] as Pairs) : []),
        ...(question.partly ? ([['partly', '1']] as Pairs) : []),
        ...(question.show ? ([['show', question.show]] as Pairs) : []),
        ...rulePairs(question.rules),
      ];
  }
}

/// Escapes only what a fragment must not contain and what makes chat programs break a link. Lone surrogates are dropped, since
/// encodeURIComponent throws on them.
const escaped = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, '')).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%3D', '=').replaceAll('%20', '+');
const plain = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

export function addressOf(question: Question): string {
  const pairs = questionPairs(question);
  const query = pairs.map(([key, value]) => `${key}=${escaped(value)}`).join('&');
  return `#v1/${question.view}${query ? `?${query}` : ''}`;
}

// ---------------------------------------------------------------- reading

const whole = (text: string | undefined, least: number, most: number): number | undefined => {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
};
const oneOf = <T extends string>(list: readonly T[], text: string | undefined): T | undefined => list.find((value) => value === text);

interface ShipRead {
  ship: Ship;
  shot: Partial<Shot>;
  locks: string[];
  times?: number;
}

class Reader {
  problems: string[] = [];
  private problem(what: string): void {
    if (this.problems.length < 20) this.problems.push(what.slice(0, 80));
  }

  ship(text: string, role: 'attacker' | 'defender'): ShipRead {
    const [head = '', ...tails] = text.split('~');
    const [subject = '', ...upgrades] = head.split('.');
    const ship = newShip();
    const out: ShipRead = { ship, shot: {}, locks: [] };
    const dice = whole(subject, 0, limits.dice);
    if (dice !== undefined) {
      ship[role === 'attacker' ? 'attack' : 'agility'] = dice;
    } else if (/^\d+$/.test(subject)) {
      this.problem(subject);
    } else if (subject !== '') {
      const [pilot = '', hull = ''] = subject.split(':');
      if (idForm.test(pilot)) ship.pilot = pilot;
      if (idForm.test(hull)) ship.ship = hull;
      if (!ship.pilot && !ship.ship) this.problem(subject);
    }
    for (const id of upgrades) {
      if (idForm.test(id) && ship.upgrades.length < limits.upgrades) ship.upgrades.push(id);
      else this.problem(id);
    }
    const [short = '', ...words] = tails.join('~').split(',');
    this.short(short, out);
    for (const word of words) this.word(word, out);
    return out;
  }

  private short(text: string, out: ShipRead): void {
    const parts = text.match(/[a-z]\d+|./g) ?? [];
    for (const part of parts) {
      const kind = shortTokens[part[0] as keyof typeof shortTokens];
      const count = whole(part.slice(1), 0, limits.tokens);
      if (count === undefined) this.problem(part);
      else if (kind) out.ship.tokens[kind] = count;
      else if (part[0] === 'l') out.locks.push(...(count > 0 ? [''] : []));
      else if (part[0] === 'r' && count <= 5) out.shot.range = count;
      else this.problem(part);
    }
  }

  private word(text: string, out: ShipRead): void {
    if (text === '') return;
    const [key = '', value] = text.split('=');
    const { ship, shot } = out;
    const number = whole(value, 0, limits.tokens);
    const faces = facesOf(key, value);
    if (faces) return void (shot.faces = { ...shot.faces, ...faces });
    if (key.startsWith('p:')) return this.chance(key.slice(2), value ?? '', out);
    if (key === 'faceup' && value) return void (ship.faceup = value.split('.').filter((id) => idForm.test(id)).slice(0, limits.faceup));
    if (key === 'facedown' && number !== undefined) return void (ship.facedown = number);
    const facts = (shot.facts ??= {} as Facts);
    if (key === 'obstructed') shot.obstructed = true;
    else if (key === 'reinforced') shot.reinforced = value !== '0';
    else if (key === 'weapon' && weaponForm.test(value ?? '')) shot.weapon = value!;
    else if (key === 'initiative' && number !== undefined) shot.initiative = number;
    else if (key === 'lock' && value && /^[adw]\d{0,2}$/.test(value)) out.locks.push(value);
    else if (key === 'x' && number !== undefined) out.times = Math.max(1, Math.min(6, number));
    else if ((key === 'attack' || key === 'agility') && number !== undefined && number <= limits.dice) ship[key] = number;
    else if (key === 'hull' && number !== undefined && number > 0) ship.hull = number;
    else if (key === 'shields' && number !== undefined) ship.shields = number;
    else if (key === 'size' && sizes.includes(value ?? '')) ship.size = value!;
    else if (tokenKinds.includes(key) && number !== undefined) ship.tokens[key] = number;
    else if (key.startsWith('!') && factForm.test(key.slice(1)) && value === undefined) facts[key.slice(1)] = false;
    else if (factForm.test(key) && !tokenKinds.includes(key) && (value === undefined || number !== undefined)) facts[key] = number ?? true;
    else this.problem(text);
  }

  private chance(key: string, value: string, { ship, shot }: ShipRead): void {
    const percentOf = (text: string | undefined): number | undefined =>
      text !== undefined && /^\d{1,3}(\.\d{1,4})?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined;
    const percent = percentOf(value);
    const pairs = value.split('_').map((pair) => pair.split(':'));
    if (key === 'range' && pairs.every(([range, part]) => whole(range, 0, 5) !== undefined && percentOf(part) !== undefined)) {
      shot.ranges = Object.fromEntries(pairs.map(([range, part]) => [range!, Number(part)]));
    } else if (percent !== undefined && factForm.test(key)) {
      const on = key === 'lock' || tokenKinds.includes(key) ? ship : shot;
      on.chances = { ...on.chances, [key]: percent };
    } else {
      this.problem(`p:${key}=${value}`);
    }
  }

  scenario(pairs: Pairs): Scenario {
    const ships: Ship[] = [];
    const shots: Shot[] = [];
    const locks: [Ship, string[]][] = [];
    const byKey = new Map<string, Ship>();
    const open: { shot: Shot; by?: string; on?: string[] }[] = [];
    const aimedAt: string[] = [];
    const count = { a: 0, d: 0, w: 0 };
    const targetCount = pairs.filter(([key]) => key === 'd' || key === 'e').length;
    for (const [key, value] of pairs) {
      if (key === 'a' || key === 'n' || key === 'd' || key === 'e' || key === 'w') {
        const letter = key === 'n' ? 'a' : key === 'e' ? 'd' : key;
        const most = key === 'd' ? limits.targets : limits.shots;
        if (count[letter] >= most) {
          this.problem(`${key}=${value}`);
          continue;
        }
        const read = this.ship(value, key === 'd' ? 'defender' : 'attacker');
        ships.push(read.ship);
        if (key === 'd') aimedAt.push(read.ship.id);
        locks.push([read.ship, read.locks]);
        const number = ++count[letter];
        byKey.set(letter === 'd' && targetCount === 1 ? 'd' : `${letter}${number}`, read.ship);
        if (key === 'a') open.push({ shot: newShot(read.ship.id, [], read.shot) });
      } else if (key === 'x' && open.length < limits.shots) {
        const match = /^([adw]\d{0,2}):([adw\d.]*)(?:~(.*))?$/.exec(value);
        if (!match) {
          this.problem(`x=${value}`);
          continue;
        }
        const read = this.ship(`~${match[3] ?? ''}`, 'attacker');
        open.push({ shot: newShot('', [], read.shot), by: match[1]!, on: match[2]!.split('.') });
      }
    }
    const targets = [...byKey].filter(([key]) => key.startsWith('d')).map(([, ship]) => ship);
    for (const { shot, by, on } of open) {
      if (by !== undefined) shot.by = byKey.get(by)?.id ?? '';
      shot.on = on === undefined ? aimedAt : on.flatMap((key) => byKey.get(key)?.id ?? []);
      if (shot.by !== '' && shot.on.length > 0 && !shot.on.includes(shot.by)) shots.push(shot);
      else this.problem(`${by ?? 'a'}:${(on ?? []).join('.')}`);
    }
    for (const [ship, keys] of locks) {
      ship.locks = keys.flatMap((key) => (key === '' ? targets[0] : byKey.get(key))?.id ?? []).filter((id) => id !== ship.id);
    }
    if (shots.length === 0) {
      if (pairs.some(([key]) => ['a', 'd', 'x'].includes(key))) this.problem('a= and d=');
      return { ...newScenario(), rules: this.rules(pairs) };
    }
    return { ships, shots, rules: this.rules(pairs) };
  }

  rules(pairs: Pairs): Rules {
    const rules: Rules = {};
    const set = <K extends keyof Rules>(key: K, value: Rules[K] | undefined, text: string): void => {
      if (value === undefined) this.problem(text);
      else rules[key] = value;
    };
    for (const [key, value] of pairs) {
      const text = `${key}=${value}`;
      if (key === 'rules') set('rules', oneOf(editions, value), text);
      if (key === 'cards') set('cards', oneOf(Object.values(cardSets).flat(), value), text);
      if (key === 'o') set('objective', oneOf(objectives, value), text);
      if (key === 'deck') set('deck', idForm.test(value) ? value : undefined, text);
      if (key === 'ap') set('attackerPolicy', oneOf(policies, value), text);
      if (key === 'dp') set('defenderPolicy', oneOf(policies, value), text);
      if (key === 'engine') set('engine', oneOf(['exact', 'sample', 'both'] as const, value), text);
      if (key === 'trials') set('trials', whole(value, 1, limits.trials), text);
      if (key === 'seed') set('seed', whole(value, 0, 999_999_999), text);
    }
    return rules;
  }

  point(pairs: Pairs, scenario: Scenario): Point {
    const point = newPoint();
    const ids = new Map([...keysOf(scenario)].map(([id, key]) => [key, id]));
    const dice = (text: string): string[] => [...text.slice(0, limits.dice)].flatMap((letter) => letters[letter] ?? []);
    const rerolls = (text: string): [string, string][] =>
      text.split('.').slice(0, limits.dice).flatMap((pair): [string, string][] => {
        const [from, to] = [letters[pair[0] ?? ''], letters[pair[1] ?? '']];
        return from && to ? [[from, to]] : [];
      });
    const words = (text: string): string[] => text.split('.').filter((word) => /^[a-z0-9:-]{1,99}$/.test(word)).slice(0, 20);
    for (const [key, value] of pairs) {
      if (key === 'pn') point.attack = whole(value, 1, 40) ?? 1;
      if (key === 'pr') point.rolled = dice(value);
      if (key === 'prr') point.rerolled = rerolls(value);
      if (key === 'ps') point.spent = words(value);
      if (key === 'pdr') point.defenseRolled = dice(value);
      if (key === 'pdrr') point.defenseRerolled = rerolls(value);
      if (key === 'pds') point.defenseSpent = words(value);
      if (key === 'pdm') {
        for (const part of value.split(',').slice(0, 40)) {
          const [name = '', count = ''] = part.split(':');
          const [id, damage] = [ids.get(name), whole(count, 1, limits.tokens)];
          if (id !== undefined && damage !== undefined) point.damage[id] = damage;
          else this.problem(`pdm=${part}`);
        }
      }
      if (key === 'pto') {
        const side = oneOf(['attacker', 'defender'] as const, value);
        if (side) point.toMove = side;
        else this.problem(`pto=${value}`);
      }
    }
    return point;
  }

  question(view: View, pairs: Pairs): Question {
    const all = (key: string): string[] => pairs.filter(([name]) => name === key).map(([, value]) => value);
    const one = (key: string): string | undefined => all(key)[0];
    const squad = (key: string): { squad: PackedSquad } | undefined => {
      const packed = one(key);
      return packed ? { squad: { text: '', packed } } : undefined;
    };
    const targets = (): Ship[] => all('d').slice(0, limits.targets).map((text) => this.ship(text, 'defender').ship);
    switch (view) {
      case 'attack':
        return { view, scenario: this.scenario(pairs) };
      case 'advise': {
        const scenario = this.scenario(pairs);
        return { view, scenario, point: this.point(pairs, scenario) };
      }
      case 'luck': {
        const scenario = this.scenario(pairs);
        const damage = whole(one('dmg'), 0, limits.tokens);
        const me = oneOf(['attacker', 'defender'] as const, one('me')) ?? 'attacker';
        return { view, scenario, point: this.point(pairs, scenario), ...(damage === undefined ? {} : { damage }), me };
      }
      case 'play': {
        const begin = oneOf(['example', 'log'] as const, one('begin'));
        return { view, ...(begin ? { begin } : {}), rules: {} };
      }
      case 'home':
        return { view, rules: {} };
      case 'survive': {
        const refresh = oneOf(['shot', 'round', 'never'] as const, one('refresh'));
        return { view, scenario: this.scenario(pairs), ...(refresh ? { refresh } : {}) };
      }
      case 'compare': {
        const items = all('i').slice(0, limits.loadouts).map((text): Loadout => {
          const read = this.ship(text, 'attacker');
          return {
            ship: { ...read.ship, locks: read.locks.length > 0 ? ['d'] : [] },
            shot: newShot(read.ship.id, [], read.shot),
            times: read.times ?? 1,
          };
        });
        const by = one('by') ?? 'mean';
        const known = (figures as readonly string[]).includes(by) || /^at_least:\d{1,2}$/.test(by);
        if (!known) this.problem(`by=${by}`);
        return { view, items, ...squad('z'), targets: targets(), by: known ? by : 'mean', rules: this.rules(pairs) };
      }
      case 'squad': {
        const against = squad('against')?.squad;
        return { view, ...squad('z'), ...(against ? { against } : {}), range: whole(one('range'), 0, 5) ?? 2, rules: this.rules(pairs) };
      }
      case 'battle':
      case 'gauntlet':
        return readFight(view, pairs, this.rules(pairs), (text) => this.ship(text, 'attacker').ship, (text) => this.problem(text));
      case 'hazards': {
        const numbers: Record<string, number> = {};
        for (const text of all('set')) {
          const [name = '', value] = text.split(':');
          const number = whole(value, 0, 99);
          if (idForm.test(name) && number !== undefined) numbers[name] = number;
          else this.problem(`set=${text}`);
        }
        const ships = targets();
        const situation = one('case');
        return {
          view,
          hazard: idForm.test(one('h') ?? '') ? one('h')! : 'proximity-mine',
          ships: ships.length > 0 || one('h') ? ships : [newShip({ ship: 't65xwing' })],
          ...(situation && idForm.test(situation) ? { situation } : {}),
          numbers,
          times: whole(one('times'), 1, 20) ?? 1,
          rules: this.rules(pairs),
        };
      }
      case 'cards': {
        const kind = oneOf(['upgrade', 'pilot', 'ship', 'condition'] as const, one('kind'));
        const show = one('show');
        return {
          view,
          search: (one('q') ?? '').slice(0, 100),
          ...(kind ? { kind } : {}),
          partly: one('partly') === '1',
          ...(show && /^[a-z]+:[a-z0-9-]+$/.test(show) ? { show } : {}),
          rules: this.rules(pairs),
        };
      }
    }
  }

  unknownKeys(view: View, pairs: Pairs): void {
    const rules = ['rules', 'cards', 'o', 'deck', 'ap', 'dp', 'engine', 'trials', 'seed'];
    const scenarioKeys = ['a', 'n', 'd', 'e', 'w', 'x'];
    const point = ['pn', 'pr', 'prr', 'ps', 'pdr', 'pdrr', 'pds', 'pdm', 'pto'];
    const known: Record<View, string[]> = {
      attack: scenarioKeys,
      home: [],
      play: ['begin'],
      luck: [...scenarioKeys, ...point, 'dmg', 'me'],
      advise: [...scenarioKeys, ...point],
      survive: [...scenarioKeys, 'refresh'],
      compare: ['i', 'z', 'd', 'by'],
      squad: ['z', 'against', 'range'],
      ...fightKeys,
      hazards: ['h', 'd', 'case', 'set', 'times'],
      cards: ['q', 'kind', 'partly', 'show'],
    };
    for (const [key, value] of pairs) if (![...rules, ...known[view]].includes(key)) this.problem(`${key}=${value}`);
  }
}

let requests: typeof Requests | undefined;
/// Loads what reads the address, if it is a server's link to a request. Few visits need it.
export async function prepareFor(hash: string): Promise<void> {
  if (/^#?v1\/q\b/.test(hash)) requests ??= await import('./import-further');
}

/// Reads `#v1/q?verb=run&body=...`, the form in which servers link to a request. prepareFor() comes first.
function readRequest(query: string): Read | undefined {
  try {
    const { bodyOfLink, Import } = requests!;
    const keys = new Map(query.split('&').map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]));
    const reader = new Import(tokenKinds);
    const question = reader.question(keys.get('verb') ?? '', bodyOfLink(keys.get('body') ?? ''));
    return question && { question, problems: reader.problems };
  } catch {
    return undefined;
  }
}

/// Reads the question of an address. It never fails and takes bounded time, since anything can be pasted into an address bar.
export function readAddress(hash: string): Read {
  const reader = new Reader();
  const text = hash.startsWith('#') ? hash.slice(1) : hash;
  const [path = '', query = ''] = [text.split('?', 1)[0], text.includes('?') ? text.slice(text.indexOf('?') + 1) : ''];
  if (path === 'v1/q' && text.length <= 20_000) {
    const request = readRequest(query);
    if (request) return request;
  }
  const match = /^v(\d+)\/([a-z]+)$/.exec(path);
  const view = views.find((name) => name === match?.[2]) ?? 'attack';
  const readable = match !== null && match[1] === '1' && match[2] === view && text.length <= 20_000;
  if (path !== '' && !readable) reader.problems.push(text.slice(0, 80));
  const pairs: Pairs = readable
    ? query.split('&').filter(Boolean).slice(0, 100).map((part) => {
        const at = part.indexOf('=');
        return at < 0 ? [plain(part), ''] : [plain(part.slice(0, at)), plain(part.slice(at + 1))];
      })
    : [];
  if (readable) reader.unknownKeys(view, pairs);
  const question = reader.question(view, pairs);
  return { question, problems: reader.problems };
}
