/// Puts sentences of the engine into players' words: names for ids and keys, and no remedy that only files and commands have.
import type { SquadAnswer } from '../engine/answers';
import type { AskError } from '../engine/engine';
import type { Rules } from '../state/question';
import { words } from '../words/en';
import { ofSet, setOf, type Library, type Names } from './library';

type NameOf = (key: string) => string;

/// Replaces the request's ship keys by the page's names.
export const withShipNames = (text: string, nameOf?: NameOf): string => (nameOf ? text.replace(/('?)(?<![\w-])([aw]\d+|d\d*)(?![\w-])\1/g, (_, _quote: string, key: string) => nameOf(key)) : text);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const spaced = (id: string): string => id.replaceAll('-', ' ');

type Named = Names[keyof Names][number];
/// The ships and cards by id: editions use the same ids.
const byId = new WeakMap<Names, Map<string, Named[]>>();
function cardsById(names: Names): Map<string, Named[]> {
  let known = byId.get(names);
  if (!known) {
    known = new Map();
    for (const card of [...names.upgrades, ...names.pilots, ...names.ships]) known.set(card.id, [...(known.get(card.id) ?? []), card]);
    byId.set(names, known);
  }
  return known;
}

/// The name that a card has in the card set of the rules, or else in another.
const printedName = (library: Library, id: string, rules: Rules): string | undefined => ofSet(cardsById(library.names).get(id) ?? [], id, setOf(rules))?.name;

/// The name of a card. Abilities of ships and conditions have none.
export const cardName = (library: Library, id: string, rules: Rules): string => printedName(library, id, rules) ?? capital(spaced(id));

/// An id, alone or with what tells its effects apart: `protontorpedoes`, `charge:r2d2`, `4lom:no-evade`, `sunnybounder:a1:4`.
const idForm = /(['"]?)(?<![\w-])(charge:)?([a-z0-9]+(?:-[a-z0-9]+)*)(?::([a-z][a-z0-9-]*))?(?::(\d+))?(?![\w-])\1/g;
/// Clauses at the end that speak of options, keys or commands.
const remedyForm = /(?:; [^;]*(?:--\w|=|\bin upgrades\b|\bsalvo \w|\bthe tokens are\b|'(?:attacker|defender)')[^;]*)+$/;
/// Places that hold a squad.
const squadPlace = /^(?:squads?|against|mine|theirs|items)\b/;
/// A place in a request: `attacks[0].facts`, `rounds[1].attacks[0]`.
const placeForm = /(?:rounds\[(\d+)\]\.)?\b([a-z]+)\[(\d+)\](?:[.[][\w\]-]+)*/g;

export function sayPlainly(text: string, library: Library, rules: Rules, nameOf?: NameOf): string {
  const said = text
    .replace(remedyForm, '')
    .replace('a token, key, fact or upgrade', words.noCard)
    .replace(/\bSPEC(s?)\b/g, 'ship$1')
    .replace(placeForm, (_, round: string | undefined, list: string, at: string) => `${round ? `${words.placeIn('rounds', Number(round) + 1)}, ` : ''}${words.placeIn(list, Number(at) + 1)}`)
    .replace(/(?<=card set )[\w.-]+|\b(?:first|second)-edition\b/g, (id) => (id.endsWith('edition') ? words.editionName(id) : words.cardSetName(id)))
    .replace(idForm, (whole: string, quote: string, charge: string, id: string, detail: string, n: string, at: number, all: string) => {
      // What the user wrote stays as it is.
      if (quote === '"' && all.startsWith(' is read as', at + whole.length)) return whole;
      const name = printedName(library, id, rules);
      const before = all.slice(0, at);
      // A name of one word may stand for the word, except where the engine writes names of cards.
      const isName = quote || charge || detail || n || /[-\d]/.test(id) || /[\s-]/.test(name ?? '') || /\buse $|^$/.test(before);
      if (!isName || (!name && !detail && !/: $/.test(before))) return whole;
      const more = [detail && detail !== id ? spaced(detail) : '', n ?? ''].filter(Boolean).join(', ');
      const card = cardName(library, id, rules);
      return `${charge ? words.charges(card) : card}${more && ` (${more})`}`;
    });
  return withShipNames(said, nameOf);
}

/// An error with its place, unless `nameOf` knows the ships. A remedy for files is replaced by one for the field of a squad.
export function sayWrong({ place, message }: AskError, library: Library, rules: Rules, nameOf?: NameOf): string {
  const said = sayPlainly(message, library, rules, nameOf);
  const end = squadPlace.test(place) && remedyForm.test(message) ? `. ${words.squadRemedy}` : '';
  if (nameOf || !place) return said + end;
  const where = place.includes('[') ? sayPlainly(place, library, rules) : words.placeIn(place);
  return `${capital(where)}${/^(?:has|is) /.test(said) ? '' : ':'} ${said}${end}`;
}

/// The cards of a squad that no card set has, with the place and the reason.
export const unknownText = (unknown: SquadAnswer['unknown'], library: Library, rules: Rules): string =>
  unknown.map(({ id, path, reason }) => `${id} (${sayPlainly(`${path}: ${reason}`, library, rules)})`).join('; ');

export interface AssumedFact {
  name: string;
  holds: boolean;
  cards: string[];
}

/// An assumed fact of an answer: `not bullseye (predator, juke)`.
export function assumedFact(text: string): AssumedFact {
  const [, not, name = text, cards] = /^(not )?(.*?)(?: \((.*)\))?$/.exec(text) ?? [];
  return { name, holds: !not, cards: cards?.split(', ') ?? [] };
}

/// The assumed facts of an answer in one line.
export const assumptionsText = (facts: string[], library: Library, rules: Rules): string =>
  facts
    .map(assumedFact)
    .map(({ name, holds, cards }) => `${words.factShort(name, holds)}${cards.length > 0 ? ` (${cards.map((id) => cardName(library, id, rules)).join(', ')})` : ''}`)
    .join(', ');
