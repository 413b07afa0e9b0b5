/// The names of the ships of a game.
import { shipFacts, shipName, type Library } from '../../parts/library';
import { tokenKinds } from '../../state/address';
import type { Fighter, Game } from '../../state/further/game';
import { Import } from '../../state/import-further';
import type { Rules, Ship } from '../../state/question';
import { words } from '../../words/en';

/// What the view says about the ships of a game.
export interface Names {
  library: Library;
  rules: Rules;
  /// The ship of a SPEC.
  shipOf: (fighter: Fighter) => Ship;
  /// Its printed name, numbered if there are several.
  nameOf: (fighter: Fighter | undefined) => string;
  initiativeOf: (fighter: Fighter) => number | undefined;
}

export function namesOf(library: Library, game: Game): Names {
  const cards = game.head.flatMap((line) => /^cards\s+(\S+)/.exec(line)?.[1] ?? [])[0];
  const first = game.head.some((line) => /^rules\s+first-edition/.test(line));
  const rules: Rules = { ...(first ? { rules: 'first-edition' as const } : {}), ...(cards ? { cards } : {}) };
  const ships = new Map(game.fighters.map((fighter) => [fighter.name, new Import(tokenKinds).spec(fighter.spec, 'attacker').ship]));
  const shipOf = (fighter: Fighter): Ship => ships.get(fighter.name)!;
  const plain = (fighter: Fighter): string => {
    const ship = shipOf(fighter);
    return ship.pilot || ship.ship ? shipName(library, ship, rules, 'attacker') : fighter.name;
  };
  const nameOf = (fighter: Fighter | undefined): string => {
    if (!fighter) return '';
    const alike = game.fighters.filter((other) => plain(other) === plain(fighter));
    return alike.length > 1 ? words.numbered(plain(fighter), alike.findIndex((other) => other.name === fighter.name) + 1) : plain(fighter);
  };
  return { library, rules, shipOf, nameOf, initiativeOf: (fighter) => shipFacts(library, shipOf(fighter), rules).pilot?.initiative };
}
