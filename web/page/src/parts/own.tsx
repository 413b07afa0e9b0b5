/// Gives all components the user's home-made cards.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { OwnCards } from '../state/own';

export const OwnContext = createContext<OwnCards>(new OwnCards(undefined));

/// Returns the home-made cards, and redraws the component when one is saved or removed.
export function useOwnCards(): OwnCards {
  const own = useContext(OwnContext);
  const [, draw] = useState(0);
  useEffect(() => own.listen(() => draw((n) => n + 1)), [own]);
  return own;
}
