/// The game in the browser's storage, with its earlier states for taking steps back.
import type { Game } from './game';

export interface Kept {
  game: Game;
  past: Game[];
}

const key = 'salvo.game';
/// How many steps can be taken back.
const longest = 60;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const isGame = (value: unknown): value is Game => {
  const game = value as Game | null;
  return (
    typeof game === 'object' && game !== null && Array.isArray(game.players) && Array.isArray(game.head) && Array.isArray(game.lines) &&
    Array.isArray(game.fighters) && typeof game.round === 'number' &&
    game.fighters.every((fighter) => typeof fighter?.name === 'string' && typeof fighter.spec === 'string' && typeof fighter.tokens === 'object' && typeof fighter.charges === 'object' && Array.isArray(fighter.locks))
  );
};

/// Reads the game. Storage may be forbidden or hold foreign data: then there is none.
export function readGame(store: Store | undefined): Kept | undefined {
  try {
    const kept = JSON.parse(store?.getItem(key) ?? 'null') as Kept | null;
    return kept && isGame(kept.game) && Array.isArray(kept.past) ? { game: kept.game, past: kept.past.filter(isGame) } : undefined;
  } catch {
    return undefined;
  }
}

/// Returns whether the game could be stored.
export function writeGame(store: Store | undefined, kept: Kept | undefined): boolean {
  try {
    if (!store) return false;
    if (kept) store.setItem(key, JSON.stringify(kept));
    else store.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

export const step = (kept: Kept, game: Game): Kept => ({ game, past: [...kept.past, kept.game].slice(-longest) });

export function stepBack(kept: Kept): Kept {
  const game = kept.past.at(-1);
  return game ? { game, past: kept.past.slice(0, -1) } : kept;
}
