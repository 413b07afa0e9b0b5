/// Converts a question to a request (docs/format.md: Requests), and to the `salvo` command that prints the same bytes.
import { objectOf } from './pack';
import { keysOf, roles, shipOf, type Scenario, type Facts, type Loadout, type Point, type Question, type Rules, type Ship, type Shot } from './question';

export type Body = Record<string, unknown>;
export interface Request {
  verb: string;
  body: Body;
}

export const some = (values: Record<string, unknown>): Body =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const factWords = (facts: Facts): string[] =>
  Object.entries(facts).map(([name, value]) => (value === true ? name : value === false ? `not ${name}` : `${name} = ${value}`));

function ruleKeys(rules: Rules): Body {
  return some({
    rules: rules.rules,
    cards: rules.cards,
    objective: rules.objective,
    damage_deck: rules.deck,
    attacker_policy: rules.attackerPolicy,
    defender_policy: rules.defenderPolicy,
  });
}
const engineKeys = (rules: Rules): Body => some({ engine: rules.engine, trials: rules.trials, seed: rules.seed });

/// A count with a chance of a percentage: the probability of one, or a table.
const countBy = (count: number, percent: number | undefined): unknown =>
  percent === undefined || count === 0 ? count : count === 1 && percent < 100 ? percent / 100 : { 0: (100 - percent) / 100, [count]: percent / 100 };
const fractions = (percents: Record<string, number>): Body => Object.fromEntries(Object.entries(percents).map(([key, percent]) => [key, percent / 100]));

function shipKeys(ship: Ship, keys: Map<string, string>): Body {
  const tokens: Body = Object.fromEntries(Object.entries(ship.tokens).map(([kind, count]) => [kind, countBy(count, ship.chances?.[kind])]));
  const locks = ship.locks.flatMap((id) => keys.get(id) ?? []);
  const lock = ship.chances?.lock;
  if (locks.length > 0) tokens.lock = lock === undefined || lock === 100 ? locks : Object.fromEntries(locks.map((key) => [key, lock / 100]));
  return some({
    ship: ship.ship,
    pilot: ship.pilot,
    upgrades: ship.upgrades.length > 0 ? ship.upgrades : undefined,
    attack: ship.attack,
    agility: ship.agility,
    hull: ship.hull,
    shields: ship.shields,
    size: ship.size,
    tokens: Object.keys(tokens).length > 0 ? tokens : undefined,
    faceup: ship.faceup?.length ? ship.faceup : undefined,
    facedown: ship.facedown || undefined,
  });
}

function shotKeys(shot: Shot, keys: Map<string, string>): Body {
  const on = shot.on.flatMap((id) => keys.get(id) ?? []);
  const { obstructed, reinforced, ...chances } = fractions(shot.chances ?? {});
  const facts = [...factWords(shot.facts).filter((word) => !(word in chances)), ...Object.entries(chances).map(([name, chance]) => ({ [name]: chance }))];
  return some({
    by: keys.get(shot.by),
    on: on.length === 1 ? on[0] : on,
    weapon: shot.weapon,
    range: shot.ranges ? fractions(shot.ranges) : shot.range,
    obstructed: obstructed ?? (shot.obstructed || undefined),
    reinforced: reinforced ?? (shot.reinforced ? undefined : false),
    initiative: shot.initiative,
    facts: facts.length > 0 ? facts : undefined,
    ...shot.faces,
  });
}

/// A scenario in a request (docs/format.md), with the rules as further keys.
export function scenarioKeys(scenario: Scenario): Body {
  const keys = keysOf(scenario);
  const ships: Body = {};
  for (const [id, key] of keys) {
    const ship = shipOf(scenario, id);
    if (!ship) continue;
    if (key.startsWith('w')) {
      if (ship.pilot || ship.ship) ships[key] = { side: 'mine', ...shipKeys(ship, keys) };
    } else {
      ships[key] = shipKeys(ship, keys);
    }
  }
  return { ...ruleKeys(scenario.rules), ships, attacks: scenario.shots.map((shot) => shotKeys(shot, keys)) };
}

/// The SPEC of a ship, or undefined if a SPEC cannot express it.
export function specOf(ship: Ship, role: 'attacker' | 'defender', keys = new Map<string, string>(), shot?: Shot): string | undefined {
  const words: string[] = [];
  const bare = !ship.pilot && !ship.ship;
  const dice = role === 'attacker' ? ship.attack : ship.agility;
  const other = role === 'attacker' ? ship.agility : ship.attack;
  if (bare && other !== undefined) return undefined;
  if (bare) words.push(String(dice ?? 0));
  if (ship.pilot) words.push(`pilot=${ship.pilot}`);
  if (ship.ship) words.push(`ship=${ship.ship}`);
  if (!bare && dice !== undefined) words.push(`${role === 'attacker' ? 'attack' : 'agility'}=${dice}`);
  if (!bare && other !== undefined) words.push(`${role === 'attacker' ? 'agility' : 'attack'}=${other}`);
  for (const key of ['hull', 'shields', 'size'] as const) if (ship[key] !== undefined) words.push(`${key}=${ship[key]}`);
  words.push(...ship.upgrades);
  for (const [kind, count] of Object.entries(ship.tokens)) {
    const percent = count > 0 ? ship.chances?.[kind] : undefined;
    if (percent === undefined) words.push(count === 1 ? kind : `${kind}=${count}`);
    else words.push(count === 1 && percent < 100 ? `${kind}=${percent}%` : `${kind}=0:${100 - percent}%,${count}:${percent}%`);
  }
  if (ship.locks.length > 0) {
    if (role !== 'attacker' || ship.locks.length > 1) return undefined;
    const on = keys.get(ship.locks[0]!);
    const percent = ship.chances?.lock ?? 100;
    if (percent < 100 && on && on !== 'd') return undefined;
    words.push(percent < 100 ? `lock=${percent}%` : !on || on === 'd' ? 'lock' : `lock=${on}`);
  }
  if (ship.faceup?.length) words.push(`faceup=${ship.faceup.join(',')}`);
  if (ship.facedown) words.push(`facedown=${ship.facedown}`);
  if (!shot) return words.join(' ');
  const chances = shot.chances ?? {};
  const word = (key: string, usual: string | undefined): void => {
    if (chances[key] !== undefined) words.push(`${key}=${chances[key]}%`);
    else if (usual) words.push(usual);
  };
  if (shot.ranges) words.push(`range=${Object.entries(shot.ranges).map(([range, percent]) => `${range}:${percent}%`).join(',')}`);
  else if (shot.range !== 2) words.push(`range=${shot.range}`);
  word('obstructed', shot.obstructed ? 'obstructed' : undefined);
  word('reinforced', shot.reinforced ? undefined : 'reinforced=false');
  for (const key of ['rolled', 'results'] as const) if (shot.faces?.[key]) words.push(`${key}=${shot.faces[key].join(',')}`);
  if (shot.weapon) words.push(`weapon=${shot.weapon}`);
  if (shot.initiative !== undefined) words.push(`initiative=${shot.initiative}`);
  for (const [name, value] of Object.entries(shot.facts)) {
    if (chances[name] !== undefined) continue;
    if (value === false) return undefined;
    words.push(value === true ? name : `${name}=${value}`);
  }
  for (const [name, percent] of Object.entries(chances)) if (name !== 'obstructed' && name !== 'reinforced') words.push(`${name}=${percent}%`);
  return words.join(' ');
}

/// Matches the ids of all upgrades that can attack, and of some that cannot.
const mayAttack = /torp|missile|rocket|cannon|turret|battery|laser|blaster|beam|tent|drill|snap|fore|shell|caster|pulse|xx23|bombard/;
/// Pilots with a standard loadout, and others, have an id with a suffix.
const hasLoadout = (ship: Ship): boolean => ship.pilot?.includes('-') ?? false;

const defenseWords = (faces: Shot['faces']): string[] =>
  (['rolled', 'results'] as const).flatMap((key) => (faces?.[`defense_${key}`] ? [`${key}=${faces[`defense_${key}`]!.join(',')}`] : []));

export interface Specs {
  attack: string[];
  defend: string[];
}

/// The SPECs of a scenario, or undefined if SPECs cannot express it: they need one attack by each shooter on all targets, no return fire
/// and no friends.
export function specsOf(scenario: Scenario): Specs | undefined {
  const { shooters, targets, victims, friends } = roles(scenario);
  if (friends.some((ship) => ship.pilot || ship.ship) || shooters.length !== scenario.shots.length) return undefined;
  if (targets.length !== victims.length) return undefined;
  const keys = keysOf(scenario);
  const attack: string[] = [];
  for (const shot of scenario.shots) {
    const ship = shipOf(scenario, shot.by);
    if (!ship || shot.on.length !== targets.length) return undefined;
    // A SPEC would choose the best weapon, and add the pilot's standard loadout.
    if (!shot.weapon && ship.upgrades.some((id) => mayAttack.test(id))) return undefined;
    const spec = specOf(ship, 'attacker', keys, shot);
    if (spec === undefined) return undefined;
    attack.push(hasLoadout(ship) ? `${spec} loadout=none` : spec);
  }
  const defend: string[] = [];
  for (const ship of targets) {
    const spec = specOf(ship, 'defender', keys);
    if (spec === undefined) return undefined;
    defend.push([spec, ...(hasLoadout(ship) ? ['loadout=none'] : []), ...defenseWords(scenario.shots[0]?.faces)].join(' '));
  }
  if (scenario.shots.length > 1 || targets.length > 1) {
    if (scenario.shots.some((shot) => defenseWords(shot.faces).length > 0)) return undefined;
  }
  return { attack, defend };
}

function scenarioBody(scenario: Scenario): Body {
  const specs = specsOf(scenario);
  return specs ? { ...ruleKeys(scenario.rules), attack: specs.attack, defend: specs.defend } : scenarioKeys(scenario);
}

/// The SPEC of a loadout for `compare`, or undefined if a SPEC cannot express it.
export function loadoutSpec(loadout: Loadout): string | undefined {
  const target = 'd';
  const ship = loadout.ship.locks.length > 0 ? { ...loadout.ship, locks: [target] } : loadout.ship;
  const spec = specOf(ship, 'attacker', new Map([[target, 'd']]), { ...loadout.shot, range: loadout.shot.range });
  return spec;
}

/// The scenario of a loadout against a target. It replaces `compare` for loadouts that attack more than once or have no SPEC.
export function loadoutScenario(loadout: Loadout, target: Ship, rules: Rules): Scenario {
  const ships: Ship[] = [target];
  const shots: Shot[] = [];
  const ship = { ...loadout.ship, locks: loadout.ship.locks.length > 0 ? [target.id] : [] };
  ships.push(ship);
  // As in `compare`, a loadout shoots with its best weapon unless it names one.
  const weapon = loadout.shot.weapon ?? (ship.upgrades.length > 0 ? 'best' : 'primary');
  for (let i = 0; i < loadout.times; ++i) shots.push({ ...loadout.shot, weapon, by: ship.id, on: [target.id] });
  return { ships, shots, rules };
}

function pointKeys(point: Point, scenario: Scenario): Body {
  const keys = keysOf(scenario);
  const damage = Object.fromEntries(Object.entries(point.damage).flatMap(([id, count]) => (count > 0 && keys.has(id) ? [[keys.get(id)!, count]] : [])));
  const pairs = (rerolled: [string, string][]): string | undefined =>
    rerolled.length > 0 ? rerolled.map(([from, to]) => `${from}=${to}`).join(' ') : undefined;
  const words = (list: string[]): string | undefined => (list.length > 0 ? list.join(' ') : undefined);
  return some({
    attack: point.attack,
    rolled: words(point.rolled),
    rerolled: pairs(point.rerolled),
    spent: words(point.spent),
    defense_rolled: words(point.defenseRolled),
    defense_rerolled: pairs(point.defenseRerolled),
    defense_spent: words(point.defenseSpent),
    to_move: point.toMove,
    damage: Object.keys(damage).length > 0 ? damage : undefined,
  });
}

/// The value of a pasted squad in a request: the object, or whatever else it is as a text.
export const squadValue = (text: string): unknown => objectOf(text.trim()) ?? text.trim();

/// The first request of a question, or undefined while the question is incomplete.
export function requestOf(question: Question, cards: string[] = []): Request | undefined {
  const own: Body = cards.length > 0 ? { card: cards } : {};
  switch (question.view) {
    case 'attack':
      return { verb: 'run', body: { ...scenarioKeys(question.scenario), ...engineKeys(question.scenario.rules), ...own } };
    case 'advise':
      return { verb: 'advise', body: { ...scenarioKeys(question.scenario), point: pointKeys(question.point, question.scenario), ...own } };
    case 'luck': {
      const point = pointKeys(question.point, question.scenario);
      delete point.to_move; // the attack is over
      return { verb: 'luck', body: { ...scenarioKeys(question.scenario), point, ...some({ damage: question.damage }), ...own } };
    }
    case 'play':
    case 'home':
      return undefined;
    case 'compare': {
      const items: unknown[] = question.items.flatMap((item) => loadoutSpec(item) ?? []);
      if (question.squad) {
        if (question.squad.text === '') return undefined;
        items.push(squadValue(question.squad.text));
      }
      if (items.length === 0) return undefined;
      const defend = question.targets.flatMap((ship) => specOf(ship, 'defender') ?? []);
      const { rules, ...more } = ruleKeys(question.rules);
      return { verb: 'compare', body: { ...some({ rules }), ...more, items, defend, by: question.by, ...own } };
    }
    case 'squad': {
      if (!question.squad?.text || question.against?.text === '') return undefined;
      const { rules, cards: set } = question.rules;
      return {
        verb: 'squad',
        body: {
          ...some({ rules, cards: set }),
          squad: squadValue(question.squad.text),
          ...(question.against ? { against: squadValue(question.against.text), range: question.range } : {}),
          ...own,
        },
      };
    }
    case 'battle':
    case 'gauntlet':
      return undefined; // further/fightRequest.ts, fetched with these views
    case 'survive':
      // The answer repeats the attackers as given, so use SPECs where possible, as the command does.
      return { verb: 'durability', body: { ...scenarioBody(question.scenario), ...some({ refresh: question.refresh }), ...own } };
    case 'hazards':
      return {
        verb: 'hazard',
        body: {
          ...some({ rules: question.rules.rules, cards: question.rules.cards, engine: question.rules.engine }),
          hazard: question.hazard,
          ships: question.ships.flatMap((ship) => hazardSpec(ship) ?? []),
          ...some({ situation: question.situation }),
          ...(Object.keys(question.numbers).length > 0 ? { numbers: question.numbers } : {}),
          ...(question.times > 1 ? { times: question.times } : {}),
        },
      };
    case 'cards':
      return {
        verb: 'cards',
        body: some({
          cards: question.rules.cards,
          list: true,
          kind: question.kind,
          search: question.search.trim() ? question.search.trim().split(/\s+/) : undefined,
          partly: question.partly || undefined,
        }),
      };
  }
}

export function hazardSpec(ship: Ship): string | undefined {
  const { agility: _agility, attack: _attack, ...rest } = ship;
  const spec = specOf({ ...rest, upgrades: ship.upgrades, locks: [] }, 'defender');
  if (spec === undefined) return undefined;
  return ship.pilot || ship.ship ? spec : spec.split(' ').slice(1).join(' ');
}

/// Quotes a word for a POSIX shell.
export const quoted = (word: string): string => (/^[\w.,:=@%/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

function ruleOptions(rules: Rules): string[] {
  const options: [string, string | number | undefined][] = [
    ['--rules', rules.rules],
    ['--cards', rules.cards],
    ['--objective', rules.objective],
    ['--damage-deck', rules.deck],
    ['--attacker-policy', rules.attackerPolicy],
    ['--defender-policy', rules.defenderPolicy],
    ['--engine', rules.engine],
    ['--trials', rules.trials],
    ['--seed', rules.seed],
  ];
  return options.flatMap(([name, value]) => (value === undefined ? [] : [name, quoted(String(value))]));
}

/// The command that prints the same bytes. It uses options if they can express the question, else the request as JSON.
export function commandOf(question: Question, cards: string[] = []): string | undefined {
  const request = requestOf(question, cards);
  if (!request) return undefined;
  const whole = `salvo request ${request.verb} - <<'END'\n${JSON.stringify(request.body)}\nEND`;
  if (cards.length > 0) return whole;
  const specWords = (specs: Specs): string[] => [
    ...specs.attack.flatMap((spec) => ['--attack', quoted(spec)]),
    ...specs.defend.flatMap((spec) => ['--defend', quoted(spec)]),
  ];
  switch (question.view) {
    case 'attack': {
      const specs = specsOf(question.scenario);
      return specs ? ['salvo run', ...specWords(specs), ...ruleOptions(question.scenario.rules), '--no-would-add', '--format json'].join(' ') : whole;
    }
    case 'advise': {
      const specs = specsOf(question.scenario);
      // With SPECs, --attack takes a SPEC, so it cannot give the number of the attack.
      if (!specs || question.point.attack !== 1) return whole;
      const { attack: _first, damage, ...point } = pointKeys(question.point, question.scenario);
      if (damage !== undefined) return whole;
      const options = Object.entries(point).flatMap(([key, value]) => [`--${key.replaceAll('_', '-')}`, quoted(String(value))]);
      return ['salvo advise', ...specWords(specs), ...options, ...ruleOptions(question.scenario.rules), '--format json'].join(' ');
    }
    case 'survive': {
      const specs = specsOf(question.scenario);
      if (!specs) return whole;
      const refresh = question.refresh ? ['--refresh', question.refresh] : [];
      return ['salvo durability', ...specWords(specs), ...refresh, ...ruleOptions(question.scenario.rules), '--format json'].join(' ');
    }
    case 'compare': {
      if (question.squad) return whole;
      const body = request.body as { items: string[]; defend: string[] };
      const defend = body.defend.flatMap((spec) => ['--defend', quoted(spec)]);
      const rules = ruleOptions(question.rules);
      return ['salvo compare', ...body.items.map(quoted), ...defend, '--by', quoted(question.by), ...rules, '--format json'].join(' ');
    }
    case 'hazards': {
      const body = request.body as { ships: string[] };
      const words = ['salvo hazard', quoted(question.hazard), ...body.ships.flatMap((spec) => ['--ship', quoted(spec)])];
      if (question.situation) words.push('--situation', quoted(question.situation));
      for (const [name, value] of Object.entries(question.numbers)) words.push('--set', `${name}=${value}`);
      if (question.times > 1) words.push('--times', String(question.times));
      words.push(...ruleOptions({ rules: question.rules.rules, cards: question.rules.cards, engine: question.rules.engine }));
      return [...words, '--format json'].join(' ');
    }
    case 'cards': {
      const words = ['salvo cards list'];
      if (question.kind) words.push('--kind', question.kind);
      if (question.search.trim()) words.push('--search', quoted(question.search.trim()));
      if (question.partly) words.push('--partly');
      if (question.rules.cards) words.push('--set', question.rules.cards);
      return [...words, '--format json'].join(' ');
    }
    case 'battle':
    case 'gauntlet':
    case 'luck':
    case 'play':
    case 'home':
    case 'squad':
      return whole;
  }
}
