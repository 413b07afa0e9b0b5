/// Edits of a question. Each function returns a changed copy and leaves its argument as it is.
import { limits, newId, newShip, newShot, roles, type Scenario, type Ship, type Shot } from './question';

export const changeShot = (scenario: Scenario, at: number, change: Partial<Shot>): Scenario => ({
  ...scenario,
  shots: scenario.shots.map((shot, i) => (i === at ? { ...shot, ...change } : shot)),
});

/// Adds an attacker, by default with bare dice, that attacks all present targets.
export function addShooter(scenario: Scenario, ship: Ship = newShip({ attack: 3 }), shot: Partial<Shot> = {}): Scenario {
  if (scenario.shots.length >= limits.shots) return scenario;
  const targets = roles(scenario).victims.map((target) => target.id);
  return { ...scenario, ships: [...scenario.ships, ship], shots: [...scenario.shots, newShot(ship.id, targets, shot)] };
}

/// Duplicates the attacker of an attack. The copy attacks right after it.
export function repeatShooter(scenario: Scenario, at: number): Scenario {
  const shot = scenario.shots[at];
  const ship = shot && scenario.ships.find((other) => other.id === shot.by);
  if (!shot || !ship || scenario.shots.length >= limits.shots) return scenario;
  const twin = { ...structuredClone(ship), id: newId() };
  const shots = [...scenario.shots];
  shots.splice(at + 1, 0, { ...structuredClone(shot), by: twin.id });
  return { ...scenario, ships: [...scenario.ships, twin], shots };
}

/// Repeats an attack by the same ship.
export function shootAgain(scenario: Scenario, at: number): Scenario {
  const shot = scenario.shots[at];
  if (!shot || scenario.shots.length >= limits.shots) return scenario;
  const shots = [...scenario.shots];
  shots.splice(at + 1, 0, structuredClone(shot));
  return { ...scenario, shots };
}

/// Gives bare attack dice defense dice, so that the ship can be shot at.
const withDefense = (ship: Ship): Ship => (ship.pilot || ship.ship || ship.agility !== undefined ? ship : { ...ship, agility: 2 });

/// Adds an attack by a defender on the first attacker, after all others.
export function shootBack(scenario: Scenario, id: string): Scenario {
  const first = roles(scenario).shooters[0];
  if (!first || scenario.shots.length >= limits.shots) return scenario;
  const shot = scenario.shots.find((other) => other.on.includes(id));
  return { ...scenario, ships: scenario.ships.map((ship) => (ship.id === first.id ? withDefense(ship) : ship)), shots: [...scenario.shots, newShot(id, [first.id], { range: shot?.range ?? 2 })] };
}

/// Adds a ship to the defending side that is no target and attacks the first attacker, after all others.
export function addAnswer(scenario: Scenario): Scenario {
  const first = roles(scenario).shooters[0];
  if (!first || scenario.shots.length >= limits.shots) return scenario;
  const ship = newShip({ attack: 3, tokens: { focus: 1 } });
  const ships = scenario.ships.map((other) => (other.id === first.id ? withDefense(other) : other));
  return { ...scenario, ships: [...ships, ship], shots: [...scenario.shots, newShot(ship.id, [first.id])] };
}

export function removeShot(scenario: Scenario, at: number): Scenario {
  return withoutUnused({ ...scenario, shots: scenario.shots.filter((_, i) => i !== at) }, scenario);
}

export function moveShot(scenario: Scenario, from: number, to: number): Scenario {
  const target = Math.max(0, Math.min(scenario.shots.length - 1, to));
  if (from === target) return scenario;
  const shots = [...scenario.shots];
  const [shot] = shots.splice(from, 1);
  if (!shot) return scenario;
  shots.splice(target, 0, shot);
  // The page calls the side that shoots first the attackers, so a defender's attack must not become the first.
  if (shots[0] && roles(scenario).targets.some((ship) => ship.id === shots[0]!.by)) return scenario;
  return { ...scenario, shots };
}

/// Adds a target. Every attacker then chooses among the targets.
export function addTarget(scenario: Scenario, ship: Ship = newShip({ agility: 2, hull: 4 })): Scenario {
  const { targets, victims } = roles(scenario);
  if (victims.length >= limits.targets) return scenario;
  const theirs = new Set(targets.map((target) => target.id));
  const shots = scenario.shots.map((shot) => (theirs.has(shot.by) ? shot : { ...shot, on: [...shot.on, ship.id] }));
  return { ...scenario, ships: [...scenario.ships, ship], shots };
}

export function removeTarget(scenario: Scenario, id: string): Scenario {
  if (roles(scenario).victims.length < 2) return scenario;
  const shots = scenario.shots
    .filter((shot) => shot.by !== id)
    .map((shot) => ({ ...shot, on: shot.on.filter((other) => other !== id) }))
    .filter((shot) => shot.on.length > 0);
  return shots.length === 0 ? scenario : withoutUnused({ ...scenario, shots }, scenario);
}

/// Adds a friendly ship that does not shoot but whose cards and tokens help.
export const addFriend = (scenario: Scenario): Scenario => ({ ...scenario, ships: [...scenario.ships, newShip()] });
export const removeFriend = (scenario: Scenario, id: string): Scenario => withoutLocks({
  ...scenario,
  ships: scenario.ships.filter((ship) => ship.id !== id),
});

/// Removes the ships that no attack involves any more, and the locks on them. Friends stay.
function withoutUnused(scenario: Scenario, before: Scenario): Scenario {
  const friends = new Set(roles(before).friends.map((ship) => ship.id));
  const used = new Set(scenario.shots.flatMap((shot) => [shot.by, ...shot.on]));
  return withoutLocks({ ...scenario, ships: scenario.ships.filter((ship) => used.has(ship.id) || friends.has(ship.id)) });
}

function withoutLocks(scenario: Scenario): Scenario {
  const there = new Set(scenario.ships.map((ship) => ship.id));
  const ships = scenario.ships.map((ship) => ({ ...ship, locks: ship.locks.filter((id) => there.has(id)) }));
  return { ...scenario, ships };
}

/// Replaces the identity of a ship. What came from the old ship's cards is dropped, such as Force tokens.
export function replaceShip(ship: Ship, by: Pick<Ship, 'pilot' | 'ship' | 'attack' | 'agility'>): Ship {
  const { id, upgrades, locks, chances } = ship;
  const tokens = { ...ship.tokens };
  delete tokens.force;
  const bare = by.pilot === undefined && by.ship === undefined;
  return { id, upgrades, locks, tokens, ...(chances ? { chances } : {}), ...(bare && ship.hull ? { hull: ship.hull, shields: ship.shields } : {}), ...by };
}

/// Replaces the ship that has the same id.
export const setShip = (scenario: Scenario, ship: Ship): Scenario => ({
  ...scenario,
  ships: scenario.ships.map((old) => (old.id === ship.id ? ship : old)),
});
