/// Edits of a question. Each function returns a changed copy and leaves its argument as it is.
import { limits, newId, newShip, newShot, roles, type Battle, type Ship, type Shot } from './question';


export const changeShot = (battle: Battle, at: number, change: Partial<Shot>): Battle => ({
  ...battle,
  shots: battle.shots.map((shot, i) => (i === at ? { ...shot, ...change } : shot)),
});

/// Adds an attacker, by default with bare dice, that attacks all present targets.
export function addShooter(battle: Battle, ship: Ship = newShip({ attack: 3 }), shot: Partial<Shot> = {}): Battle {
  if (battle.shots.length >= limits.shots) return battle;
  const targets = roles(battle).victims.map((target) => target.id);
  return { ...battle, ships: [...battle.ships, ship], shots: [...battle.shots, newShot(ship.id, targets, shot)] };
}

/// Duplicates the attacker of an attack. The copy attacks right after it.
export function repeatShooter(battle: Battle, at: number): Battle {
  const shot = battle.shots[at];
  const ship = shot && battle.ships.find((other) => other.id === shot.by);
  if (!shot || !ship || battle.shots.length >= limits.shots) return battle;
  const twin = { ...structuredClone(ship), id: newId() };
  const shots = [...battle.shots];
  shots.splice(at + 1, 0, { ...structuredClone(shot), by: twin.id });
  return { ...battle, ships: [...battle.ships, twin], shots };
}

/// Repeats an attack by the same ship.
export function shootAgain(battle: Battle, at: number): Battle {
  const shot = battle.shots[at];
  if (!shot || battle.shots.length >= limits.shots) return battle;
  const shots = [...battle.shots];
  shots.splice(at + 1, 0, structuredClone(shot));
  return { ...battle, shots };
}

/// Gives bare attack dice defense dice, so that the ship can be shot at.
const withDefense = (ship: Ship): Ship => (ship.pilot || ship.ship || ship.agility !== undefined ? ship : { ...ship, agility: 2 });

/// Adds an attack by a defender on the first attacker, after all others.
export function shootBack(battle: Battle, id: string): Battle {
  const first = roles(battle).shooters[0];
  if (!first || battle.shots.length >= limits.shots) return battle;
  const shot = battle.shots.find((other) => other.on.includes(id));
  return { ...battle, ships: battle.ships.map((ship) => (ship.id === first.id ? withDefense(ship) : ship)), shots: [...battle.shots, newShot(id, [first.id], { range: shot?.range ?? 2 })] };
}

/// Adds a ship to the defending side that is no target and attacks the first attacker, after all others.
export function addAnswer(battle: Battle): Battle {
  const first = roles(battle).shooters[0];
  if (!first || battle.shots.length >= limits.shots) return battle;
  const ship = newShip({ attack: 3, tokens: { focus: 1 } });
  const ships = battle.ships.map((other) => (other.id === first.id ? withDefense(other) : other));
  return { ...battle, ships: [...ships, ship], shots: [...battle.shots, newShot(ship.id, [first.id])] };
}

export function removeShot(battle: Battle, at: number): Battle {
  return withoutUnused({ ...battle, shots: battle.shots.filter((_, i) => i !== at) }, battle);
}

export function moveShot(battle: Battle, from: number, to: number): Battle {
  const target = Math.max(0, Math.min(battle.shots.length - 1, to));
  if (from === target) return battle;
  const shots = [...battle.shots];
  const [shot] = shots.splice(from, 1);
  if (!shot) return battle;
  shots.splice(target, 0, shot);
  // The page calls the side that shoots first the attackers, so a defender's attack must not become the first.
  if (shots[0] && roles(battle).targets.some((ship) => ship.id === shots[0]!.by)) return battle;
  return { ...battle, shots };
}

/// Adds a target. Every attacker then chooses among the targets.
export function addTarget(battle: Battle, ship: Ship = newShip({ agility: 2, hull: 4 })): Battle {
  const { targets, victims } = roles(battle);
  if (victims.length >= limits.targets) return battle;
  const theirs = new Set(targets.map((target) => target.id));
  const shots = battle.shots.map((shot) => (theirs.has(shot.by) ? shot : { ...shot, on: [...shot.on, ship.id] }));
  return { ...battle, ships: [...battle.ships, ship], shots };
}

export function removeTarget(battle: Battle, id: string): Battle {
  if (roles(battle).victims.length < 2) return battle;
  const shots = battle.shots
    .filter((shot) => shot.by !== id)
    .map((shot) => ({ ...shot, on: shot.on.filter((other) => other !== id) }))
    .filter((shot) => shot.on.length > 0);
  return shots.length === 0 ? battle : withoutUnused({ ...battle, shots }, battle);
}

/// Adds a friendly ship that does not shoot but whose cards and tokens help.
export const addFriend = (battle: Battle): Battle => ({ ...battle, ships: [...battle.ships, newShip()] });
export const removeFriend = (battle: Battle, id: string): Battle => withoutLocks({
  ...battle,
  ships: battle.ships.filter((ship) => ship.id !== id),
});

/// Removes the ships that no attack involves any more, and the locks on them. Friends stay.
function withoutUnused(battle: Battle, before: Battle): Battle {
  const friends = new Set(roles(before).friends.map((ship) => ship.id));
  const used = new Set(battle.shots.flatMap((shot) => [shot.by, ...shot.on]));
  return withoutLocks({ ...battle, ships: battle.ships.filter((ship) => used.has(ship.id) || friends.has(ship.id)) });
}

function withoutLocks(battle: Battle): Battle {
  const there = new Set(battle.ships.map((ship) => ship.id));
  const ships = battle.ships.map((ship) => ({ ...ship, locks: ship.locks.filter((id) => there.has(id)) }));
  return { ...battle, ships };
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
export const setShip = (battle: Battle, ship: Ship): Battle => ({
  ...battle,
  ships: battle.ships.map((old) => (old.id === ship.id ? ship : old)),
});
