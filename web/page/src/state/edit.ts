/// Changes of a question: each takes one and gives another, the old one stays as it was.
import { limits, newId, newShip, newShot, roles, type Battle, type Ship, type Shot } from './question';


export const changeShot = (battle: Battle, at: number, change: Partial<Shot>): Battle => ({
  ...battle,
  shots: battle.shots.map((shot, i) => (i === at ? { ...shot, ...change } : shot)),
});

export const changeRules = (battle: Battle, change: Battle['rules']): Battle => ({
  ...battle,
  rules: { ...battle.rules, ...change },
});

/// Another attacker, by default with bare dice, on everything that is shot at already.
export function addShooter(battle: Battle, ship: Ship = newShip({ attack: 3 }), shot: Partial<Shot> = {}): Battle {
  if (battle.shots.length >= limits.shots) return battle;
  const targets = roles(battle).victims.map((target) => target.id);
  return { ...battle, ships: [...battle.ships, ship], shots: [...battle.shots, newShot(ship.id, targets, shot)] };
}

/// A second ship like that of an attack, right behind it.
export function repeatShooter(battle: Battle, at: number): Battle {
  const shot = battle.shots[at];
  const ship = shot && battle.ships.find((other) => other.id === shot.by);
  if (!shot || !ship || battle.shots.length >= limits.shots) return battle;
  const twin = { ...structuredClone(ship), id: newId() };
  const shots = [...battle.shots];
  shots.splice(at + 1, 0, { ...structuredClone(shot), by: twin.id });
  return { ...battle, ships: [...battle.ships, twin], shots };
}

/// One more attack by the ship of an attack.
export function shootAgain(battle: Battle, at: number): Battle {
  const shot = battle.shots[at];
  if (!shot || battle.shots.length >= limits.shots) return battle;
  const shots = [...battle.shots];
  shots.splice(at + 1, 0, structuredClone(shot));
  return { ...battle, shots };
}

/// Bare attack dice become a ship that defends itself, too.
const withDefense = (ship: Ship): Ship => (ship.pilot || ship.ship || ship.agility !== undefined ? ship : { ...ship, agility: 2 });

/// A ship that is shot at answers: an attack on the first attacker, at the end.
export function shootBack(battle: Battle, id: string): Battle {
  const first = roles(battle).shooters[0];
  if (!first || battle.shots.length >= limits.shots) return battle;
  const shot = battle.shots.find((other) => other.on.includes(id));
  return { ...battle, ships: battle.ships.map((ship) => (ship.id === first.id ? withDefense(ship) : ship)), shots: [...battle.shots, newShot(id, [first.id], { range: shot?.range ?? 2 })] };
}

/// A ship of the other side that is not shot at but shoots, afterwards, at the first attacker.
export function addAnswer(battle: Battle): Battle {
  const first = roles(battle).shooters[0];
  if (!first || battle.shots.length >= limits.shots) return battle;
  const ship = newShip({ attack: 3, tokens: { focus: 1 } });
  const ships = battle.ships.map((other) => (other.id === first.id ? withDefense(other) : other));
  return { ...battle, ships: [...ships, ship], shots: [...battle.shots, newShot(ship.id, [first.id])] };
}

export function removeShot(battle: Battle, at: number): Battle {
  return withoutStrangers({ ...battle, shots: battle.shots.filter((_, i) => i !== at) }, battle);
}

export function moveShot(battle: Battle, from: number, to: number): Battle {
  const target = Math.max(0, Math.min(battle.shots.length - 1, to));
  if (from === target) return battle;
  const shots = [...battle.shots];
  const [shot] = shots.splice(from, 1);
  if (!shot) return battle;
  shots.splice(target, 0, shot);
  // The side that shoots first is the one the page calls attackers.
  if (shots[0] && roles(battle).targets.some((ship) => ship.id === shots[0]!.by)) return battle;
  return { ...battle, shots };
}

/// Another ship that can be shot at: every attacker chooses among them.
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
  return shots.length === 0 ? battle : withoutStrangers({ ...battle, shots }, battle);
}

/// A friend that does not shoot but whose cards and tokens help.
export const addFriend = (battle: Battle): Battle => ({ ...battle, ships: [...battle.ships, newShip()] });
export const removeFriend = (battle: Battle, id: string): Battle => withoutLocks({
  ...battle,
  ships: battle.ships.filter((ship) => ship.id !== id),
});

/// Ships that took part before and do not now are gone; friends stay, and what is locked has to be there.
function withoutStrangers(battle: Battle, before: Battle): Battle {
  const friends = new Set(roles(before).friends.map((ship) => ship.id));
  const used = new Set(battle.shots.flatMap((shot) => [shot.by, ...shot.on]));
  return withoutLocks({ ...battle, ships: battle.ships.filter((ship) => used.has(ship.id) || friends.has(ship.id)) });
}

function withoutLocks(battle: Battle): Battle {
  const there = new Set(battle.ships.map((ship) => ship.id));
  const ships = battle.ships.map((ship) => ({ ...ship, locks: ship.locks.filter((id) => there.has(id)) }));
  return { ...battle, ships };
}

/// Another ship in the place of one: what belonged to the old ship's cards goes with it.
export function replaceShip(ship: Ship, by: Pick<Ship, 'pilot' | 'ship' | 'attack' | 'agility'>): Ship {
  const { id, upgrades, locks } = ship;
  const tokens = { ...ship.tokens };
  delete tokens.force;
  const bare = by.pilot === undefined && by.ship === undefined;
  return { id, upgrades, locks, tokens, ...(bare && ship.hull ? { hull: ship.hull, shields: ship.shields } : {}), ...by };
}

/// A ship as it is now in the place of what it was: keys that are gone are gone.
export const setShip = (battle: Battle, ship: Ship): Battle => ({
  ...battle,
  ships: battle.ships.map((old) => (old.id === ship.id ? ship : old)),
});
