/// Converts a request (docs/format.md: Requests) to a question of the page. `salvo serve` links to it as `#v1/q?verb=run&body=...`.
import {
  cardSets, editions, faceKeys, limits, newPoint, newShip, newShot, objectives, policies,
  type Scenario, type Facts, type Loadout, type Question, type Rules, type Ship, type Shot,
} from './question';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const texts = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
const idForm = /^[a-z0-9][a-z0-9-]{0,79}$/;

const ruleKeys = 'rules cards objective damage_deck attacker_policy defender_policy engine trials seed';
const scenarioKeys = 'ships attacks attack defend point refresh';
const bodyKeys: Record<string, string> = {
  compare: 'items defend by',
  hazard: 'hazard ships situation numbers times',
  cards: 'search list partly',
  upgrades: 'words',
  pilots: 'words',
};

/// Reads a request and collects the parts that the page does not support.
export class Import {
  problems: string[] = [];
  constructor(private readonly tokenKinds: readonly string[]) {}

  private problem(what: string): void {
    if (this.problems.length < 20) this.problems.push(what.slice(0, 80));
  }
  /// Reports the keys that are not among the known ones.
  private rest(body: Json, known: string, where = ''): void {
    for (const key of Object.keys(body)) if (!known.split(' ').includes(key)) this.problem(where + key);
  }
  private number(value: unknown, least: number, most: number, what: string): number | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.problem(`${what}: ${String(value)}`);
    return undefined;
  }
  private truth(value: unknown, usual: boolean, what: string): boolean {
    if (value !== undefined && typeof value !== 'boolean') this.problem(`${what}: ${String(value)}`);
    return typeof value === 'boolean' ? value : usual;
  }
  private id(value: unknown, what: string): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && idForm.test(value)) return value;
    this.problem(`${what}: ${String(value)}`);
    return undefined;
  }

  rules(body: Json): Rules {
    const rules: Rules = {};
    const one = <T extends string>(list: readonly T[], key: string): T | undefined => {
      if (body[key] === undefined) return undefined;
      const found = list.find((value) => value === body[key]);
      if (!found) this.problem(`${key}: ${String(body[key])}`);
      return found;
    };
    const set = <K extends keyof Rules>(key: K, value: Rules[K] | undefined): void => {
      if (value !== undefined) rules[key] = value;
    };
    set('rules', one(editions, 'rules'));
    set('cards', one(Object.values(cardSets).flat(), 'cards'));
    set('objective', one(objectives, 'objective'));
    set('deck', this.id(body.damage_deck, 'damage_deck'));
    set('attackerPolicy', one(policies, 'attacker_policy'));
    set('defenderPolicy', one(policies, 'defender_policy'));
    set('engine', one(['exact', 'sample', 'both'] as const, 'engine'));
    set('trials', this.number(body.trials, 1, limits.trials, 'trials'));
    set('seed', this.number(body.seed, 0, 999_999_999, 'seed'));
    return rules;
  }

  /// Reads the words of a SPEC that are ids, tokens, numbers or keys.
  spec(text: string, role: 'attacker' | 'defender'): { ship: Ship; shot: Partial<Shot>; locks: string[]; times: number } {
    const ship = newShip();
    const shot: Partial<Shot> & { facts: Facts } = { facts: {} };
    const out = { ship, shot, locks: [] as string[], times: 1 };
    for (const word of wordsOf(text)) {
      const [key = '', value] = word.split('=');
      if (value !== undefined && this.onTable(key, value, ship, shot)) continue;
      const count = value === undefined ? undefined : /^\d{1,2}$/.test(value) ? Number(value) : undefined;
      if (/^\d{1,2}$/.test(word) && Number(word) <= limits.dice) ship[role === 'attacker' ? 'attack' : 'agility'] = Number(word);
      else if (/^x[1-9]$/.test(word)) out.times = Number(word[1]);
      else if (key === 'lock') out.locks.push(value ?? '');
      else if (this.tokenKinds.includes(key) && (value === undefined || count !== undefined)) ship.tokens[key] = count ?? 1;
      else if ((key === 'pilot' || key === 'ship') && idForm.test(value ?? '')) ship[key] = value!;
      else if (['attack', 'agility', 'hull', 'shields'].includes(key) && count !== undefined) ship[key as 'hull'] = count;
      else if (key === 'size' && value) ship.size = value;
      else if (key === 'range' && count !== undefined && count <= 5) shot.range = count;
      else if (key === 'initiative' && count !== undefined) shot.initiative = count;
      else if (key === 'weapon' && value && /^[a-z0-9:-]+$/.test(value)) shot.weapon = value;
      else if (word === 'obstructed') shot.obstructed = true;
      else if (word === 'reinforced=false') shot.reinforced = false;
      else if (value === undefined && idForm.test(word) && ship.upgrades.length < limits.upgrades) ship.upgrades.push(word);
      else if (count !== undefined && idForm.test(key)) shot.facts[key] = count;
      else this.problem(word);
    }
    if (ship.chances?.lock !== undefined) out.locks.push('');
    // Without a subject the words were probably a printed name, which looks like upgrades here.
    if (ship.upgrades.length > 0 && !ship.pilot && !ship.ship && ship.attack === undefined && ship.agility === undefined) this.problem(text);
    return out;
  }

  /// Reads a word of a SPEC with faces, damage cards or chances. Returns whether it is one.
  private onTable(key: string, value: string, ship: Ship, shot: Partial<Shot>): boolean {
    if (key === 'rolled' || key === 'results') shot.faces = { ...shot.faces, [key]: value.split(',') };
    else if (key === 'faceup') ship.faceup = value.split(',').filter((id) => idForm.test(id));
    else if (key === 'facedown' && /^\d{1,2}$/.test(value)) ship.facedown = Number(value);
    else if (value.includes('%')) this.chance(key, Object.fromEntries(value.split(',').map((part) => percentOf(part))), ship, shot);
    else return false;
    return true;
  }

  /// Reads the chances of a key: percentages by value.
  private chance(key: string, percents: Record<string, number>, ship: Ship, shot: Partial<Shot>): void {
    const values = Object.keys(percents);
    const ups = values.filter((value) => value !== '0');
    if (values.length > 8 || values.some((value) => !/^\d{1,2}$/.test(value) || !(percents[value]! >= 0 && percents[value]! <= 100))) {
      this.problem(key);
    } else if (key === 'range') {
      shot.ranges = percents;
    } else if (ups.length !== 1) {
      this.problem(key);
    } else if (key === 'lock' || this.tokenKinds.includes(key)) {
      if (key !== 'lock') ship.tokens[key] = Number(ups[0]);
      ship.chances = { ...ship.chances, [key]: percents[ups[0]!]! };
    } else if (ups[0] === '1' && idForm.test(key)) {
      shot.chances = { ...shot.chances, [key]: percents['1']! };
    } else {
      this.problem(key);
    }
  }

  private specs(body: Json): Scenario {
    const defenders = texts(body.defend).slice(0, limits.targets).map((text) => this.spec(text, 'defender'));
    const targets = defenders.map(({ ship }) => ship);
    const { rolled, results } = defenders[0]?.shot.faces ?? {};
    const defense = { ...(rolled ? { defense_rolled: rolled } : {}), ...(results ? { defense_results: results } : {}) };
    const ships: Ship[] = [...targets];
    const shots: Shot[] = [];
    for (const text of texts(body.attack)) {
      for (let { ship, shot, locks, times } = this.spec(text, 'attacker'); times > 0 && shots.length < limits.shots; --times) {
        const at = newShip({ ...structuredClone(ship), id: newShip().id });
        at.locks = locks.flatMap((lock) => targets[lock === '' ? 0 : Number(lock.slice(1)) - 1]?.id ?? []);
        ships.push(at);
        const faces = { ...shot.faces, ...defense };
        const more = { ...structuredClone(shot), ...(Object.keys(faces).length > 0 ? { faces } : {}) };
        shots.push(newShot(at.id, targets.map((target) => target.id), more));
      }
    }
    return { ships, shots, rules: this.rules(body) };
  }

  /// The ships of the last scenario by their names in it.
  private readonly byName = new Map<string, Ship>();

  private stated(body: Json): Scenario {
    const byName = this.byName;
    byName.clear();
    const entries = isObject(body.ships) ? Object.entries(body.ships).slice(0, limits.shots + limits.targets) : [];
    for (const [name] of entries) byName.set(name, newShip());
    for (const [name, value] of entries) {
      const ship = byName.get(name)!;
      if (!isObject(value)) continue;
      this.rest(value, 'side ship pilot upgrades attack agility hull shields size tokens faceup facedown', `${name}.`);
      for (const key of ['pilot', 'ship', 'size'] as const) {
        const id = this.id(value[key], `${name}.${key}`);
        if (id) ship[key] = id;
      }
      for (const key of ['attack', 'agility', 'hull', 'shields'] as const) {
        const number = this.number(value[key], 0, 99, `${name}.${key}`);
        if (number !== undefined) ship[key] = number;
      }
      const faceup = texts(value.faceup).filter((id) => idForm.test(id)).slice(0, limits.faceup);
      if (faceup.length > 0) ship.faceup = faceup;
      const facedown = this.number(value.facedown, 0, limits.tokens, `${name}.facedown`);
      if (facedown) ship.facedown = facedown;
      ship.upgrades = texts(value.upgrades).filter((id) => idForm.test(id)).slice(0, limits.upgrades);
      for (const [kind, count] of Object.entries(isObject(value.tokens) ? value.tokens : {})) {
        if (kind === 'lock' && isObject(count)) {
          ship.locks = Object.keys(count).flatMap((other) => byName.get(other)?.id ?? []);
          const [first, ...rest] = Object.values(percentsOf(count)!);
          if (first === undefined || rest.some((percent) => percent !== first)) this.problem(`${name}.lock`);
          else ship.chances = { ...ship.chances, lock: first };
        } else if (isChance(count)) this.chance(kind, percentsOf(count)!, ship, {});
        else if (kind === 'lock') ship.locks = texts(count).flatMap((other) => byName.get(other)?.id ?? []);
        else if (this.tokenKinds.includes(kind)) {
          const number = this.number(count, 0, limits.tokens, `${name}.${kind}`);
          if (number !== undefined) ship.tokens[kind] = number;
        } else this.problem(`${name}.${kind}`);
      }
    }
    const shots: Shot[] = [];
    const attacks: unknown[] = Array.isArray(body.attacks) ? body.attacks : [];
    if (attacks.length > limits.shots) this.problem(`attacks[${limits.shots}]`);
    for (const [i, value] of attacks.slice(0, limits.shots).entries()) {
      const where = `attacks[${i}]`;
      if (!isObject(value)) continue;
      this.rest(value, `by on weapon range obstructed reinforced initiative facts ${faceKeys.join(' ')}`, `${where}.`);
      const by = byName.get(String(value.by));
      const on = texts(value.on).flatMap((name) => byName.get(name)?.id ?? []);
      if (!by || on.length === 0) {
        this.problem(where);
        continue;
      }
      const facts: Facts = {};
      const given: Partial<Shot> = {};
      for (const key of ['range', 'obstructed', 'reinforced']) if (isChance(value[key])) this.chance(key, percentsOf(value[key])!, newShip(), given);
      for (const one of Array.isArray(value.facts) ? value.facts.filter(isObject) : []) {
        for (const [fact, chance] of Object.entries(one)) this.chance(fact, percentsOf(chance) ?? {}, newShip(), given);
      }
      for (const key of faceKeys) {
        const faces = typeof value[key] === 'string' ? value[key].split(/\s+/) : texts(value[key]);
        if (faces.length > 0) given.faces = { ...given.faces, [key]: faces.slice(0, limits.faces) };
      }
      const usual = (key: string): unknown => (isChance(value[key]) ? undefined : value[key]);
      for (const text of texts(value.facts)) {
        const match = /^(not )?([a-z0-9-]+)(?:\s*=\s*(\d{1,2}))?$/.exec(text);
        if (match) facts[match[2]!] = match[1] ? false : match[3] ? Number(match[3]) : true;
        else this.problem(text);
      }
      const initiative = this.number(value.initiative, 0, 99, 'initiative');
      shots.push(
        newShot(by.id, on, {
          range: this.number(usual('range'), 0, 5, 'range') ?? 2,
          obstructed: this.truth(usual('obstructed'), false, 'obstructed'),
          reinforced: this.truth(usual('reinforced'), true, 'reinforced'),
          facts,
          ...given,
          ...(typeof value.weapon === 'string' && /^[a-z0-9:-]{1,80}$/.test(value.weapon) ? { weapon: value.weapon } : {}),
          ...(initiative !== undefined ? { initiative } : {}),
        }),
      );
    }
    return { ships: [...byName.values()], shots, rules: this.rules(body) };
  }

  scenario(body: Json): Scenario | undefined {
    const scenario = body.attack !== undefined && body.defend !== undefined ? this.specs(body) : this.stated(body);
    return scenario.shots.length > 0 ? scenario : undefined;
  }

  question(verb: string, body: unknown): Question | undefined {
    if (!isObject(body)) return undefined;
    const rules = this.rules(body);
    this.rest(body, `${ruleKeys} ${bodyKeys[verb] ?? scenarioKeys}`);
    switch (verb) {
      case 'run':
      case 'worth':
      case 'order': {
        const scenario = this.scenario(body);
        return scenario && { view: 'attack', scenario };
      }
      case 'durability': {
        const scenario = this.scenario(body);
        const refresh = (['shot', 'round', 'never'] as const).find((value) => value === body.refresh);
        return scenario && { view: 'survive', scenario, ...(refresh ? { refresh } : {}) };
      }
      case 'advise': {
        const scenario = this.scenario(body);
        const given = isObject(body.point) ? body.point : {};
        this.rest(given, 'attack rolled rerolled spent defense_rolled defense_rerolled defense_spent to_move damage', 'point.');
        const words = (key: string): string[] => String(given[key] ?? '').split(/\s+/).filter((word) => /^[a-z0-9:-]+$/.test(word));
        const pairs = (key: string): [string, string][] =>
          String(given[key] ?? '').split(/\s+/).flatMap((pair): [string, string][] => {
            const [from = '', to] = pair.split('=');
            return to ? [[from, to]] : [];
          });
        const side = (['attacker', 'defender'] as const).find((value) => value === given.to_move);
        const damage: Record<string, number> = {};
        for (const [name, count] of Object.entries(isObject(given.damage) ? given.damage : {})) {
          const ship = this.byName.get(name);
          const number = this.number(count, 0, limits.tokens, `point.damage.${name}`);
          if (ship && number) damage[ship.id] = number;
          else if (!ship) this.problem(`point.damage.${name}`);
        }
        const point = {
          ...newPoint(this.number(given.attack, 1, 40, 'attack') ?? 1),
          rolled: words('rolled'),
          rerolled: pairs('rerolled'),
          spent: words('spent'),
          defenseRolled: words('defense_rolled'),
          defenseRerolled: pairs('defense_rerolled'),
          defenseSpent: words('defense_spent'),
          ...(side ? { toMove: side } : {}),
          damage,
        };
        return scenario && { view: 'advise', scenario, point };
      }
      case 'compare': {
        const items = texts(body.items).slice(0, limits.loadouts).map((text): Loadout => {
          const { ship, shot, locks, times } = this.spec(text, 'attacker');
          if (times > 1) this.problem(`x${times}`);
          return { ship: { ...ship, locks: locks.length > 0 ? ['d'] : [] }, shot: newShot(ship.id, [], shot), times: 1 };
        });
        const targets = texts(body.defend).slice(0, limits.targets).map((text) => this.spec(text, 'defender').ship);
        return items.length > 0 ? { view: 'compare', items, targets, by: typeof body.by === 'string' && /^[a-z_]+(:\d+)?$/.test(body.by) ? body.by : 'mean', rules } : undefined;
      }
      case 'hazard': {
        const numbers: Record<string, number> = {};
        for (const [name, value] of Object.entries(isObject(body.numbers) ? body.numbers : {})) {
          const number = this.number(value, 0, 99, name);
          if (number !== undefined && idForm.test(name)) numbers[name] = number;
        }
        const situation = this.id(body.situation, 'situation');
        return {
          view: 'hazards',
          hazard: this.id(body.hazard, 'hazard') ?? 'proximity-mine',
          ships: texts(body.ships).slice(0, limits.targets).map((text) => this.spec(text, 'defender').ship),
          ...(situation ? { situation } : {}),
          numbers,
          times: this.number(body.times, 1, 20, 'times') ?? 1,
          rules,
        };
      }
      case 'cards':
      case 'upgrades':
      case 'pilots':
        return { view: 'cards', search: texts(body.search ?? body.words).join(' ').slice(0, 100), partly: body.partly === true, rules };
      default:
        return undefined;
    }
  }
}

/// The words of a SPEC. A comma continues a list of faces, damage cards or chances.
function wordsOf(spec: string): string[] {
  const out: string[] = [];
  for (const blank of spec.split(/\s+/)) {
    const parts = blank.split(',').filter(Boolean);
    if (/^(rolled|results|faceup)=/.test(blank)) out.push(parts.join(','));
    else for (const part of parts) /^\d+:/.test(part) && out.length > 0 ? (out[out.length - 1] += `,${part}`) : out.push(part);
  }
  return out;
}

/// The value and percentage of `50%` or `2:50%`.
function percentOf(text: string): [string, number] {
  const [value, percent] = text.includes(':') ? text.split(':') : ['1', text];
  return [value!, /^\d+(\.\d+)?%$/.test(percent!) ? Number(percent!.slice(0, -1)) : NaN];
}

/// Chances of a request in percent; a number is the probability of one.
function percentsOf(value: unknown): Record<string, number> | undefined {
  const chances = typeof value === 'number' ? { 1: value } : value;
  if (!isObject(chances)) return undefined;
  return Object.fromEntries(Object.entries(chances).map(([key, chance]) => [key, Number((100 * Number(chance)).toFixed(4))]));
}
const isChance = (value: unknown): boolean => isObject(value) || (typeof value === 'number' && value > 0 && value < 1);

/// Decodes the body of a link, which is JSON in base64url.
export function bodyOfLink(text: string): unknown {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
}
