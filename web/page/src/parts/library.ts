/// Caches the names for completion and the card pages, which say in plain words what a card does.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { CardPage, PilotName, ShipName, UpgradeName } from '../engine/answers';
import { AskError, type Engine } from '../engine/engine';
import type { OwnCards } from '../state/own';
import type { Rules, Ship } from '../state/question';
import { words } from '../words/en';

export interface Names {
  pilots: PilotName[];
  ships: ShipName[];
  upgrades: UpgradeName[];
}

/// Card sets of one game share their ids.
const gameOf = (set: string): string => (set.startsWith('first-edition') ? 'first' : 'second');
/// Merges the entries of another card set into the list. Entries that several sets of a game share are listed once, as in the first set.
function withMore<T extends { id: string; name: string; sets: string[] }>(list: readonly T[], more: readonly T[], set: string): T[] {
  const out = [...list];
  const known = new Map(list.map((entry, at) => [`${gameOf(entry.sets[0] ?? '')}/${entry.id}`, at]));
  for (const entry of more) {
    const at = known.get(`${gameOf(set)}/${entry.id}`);
    if (at === undefined) out.push(entry);
    else out[at] = { ...out[at]!, sets: [...out[at]!.sets, set] };
  }
  return out.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

type Listed = 'ships' | 'pilots' | 'upgrades';
/// What the engine finds for a text: ids, and the id that the text means in a SPEC.
export interface Found {
  ids: string[];
  reading?: { id: string; whole: boolean };
}

/// How long after names could not be fetched they are asked for again; twice as long after each further time, until it would be longer
/// than the longest.
const RETRY_MS = 3000;
const LONGEST_RETRY_MS = 24_000;

/// Whether the same question may be answered later: it is not itself at fault.
const canPass = (error: unknown): boolean => !(error instanceof AskError) || error.status !== 2;

export class Library {
  names: Names = { pilots: [], ships: [], upgrades: [] };
  loaded = false;
  /// The card set that was last asked for.
  private shown = '';
  private loading = new Set<string>();
  private there = new Set<string>();
  /// Nothing is asked before begin(), so that the view's question goes first.
  begin!: () => void;
  private readonly begun = new Promise<void>((done) => (this.begin = done));
  /// What cards say is asked after the names: it takes the complete engine, for which the view's question must not wait.
  private endNames!: () => void;
  private readonly named = new Promise<void>((done) => (this.endNames = done));
  private pages = new Map<string, CardPage[] | null>();
  private found = new Map<string, Found | null>();
  private listeners = new Set<() => void>();

  constructor(
    readonly engine: Engine,
    private readonly own: OwnCards,
  ) {}

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  private notify(): void {
    for (const listener of this.listeners) listener();
  }

  /// Fetches the names of a card set, unless they are there or being fetched. Tries a few times while the set is shown.
  load(set: string): void {
    this.shown = set;
    if (this.loading.has(set)) return;
    this.loading.add(set);
    void this.tryNames(set).then((come) => {
      if (!come) this.loading.delete(set);
    });
  }
  private async tryNames(set: string): Promise<boolean> {
    for (let wait = RETRY_MS; ; wait *= 2) {
      try {
        await this.fetchNames(set);
        this.loaded = true;
        this.there.add(set);
        this.notify();
        return true;
      } catch (error) {
        if (!canPass(error) || wait > LONGEST_RETRY_MS) return false;
      } finally {
        this.endNames();
      }
      await new Promise((done) => setTimeout(done, wait));
      if (this.shown !== set) return false;
    }
  }
  /// Whether the names of a card set are there. False again if they could not be fetched.
  loadedSet(set: string): boolean {
    return this.there.has(set);
  }

  private async fetchNames(set: string): Promise<void> {
    await this.begun;
    const ask = async <T>(verb: string): Promise<T[]> => ((await this.engine.ask(verb, { cards: set })).data as Record<string, T[]>)[verb] ?? [];
    const ships = await ask<ShipName>('ships');
    const pilots = await ask<PilotName>('pilots');
    const upgrades = await ask<UpgradeName>('upgrades');
    this.names = {
      ships: withMore(this.names.ships, ships, set),
      pilots: withMore(this.names.pilots, pilots, set),
      upgrades: withMore(this.names.upgrades, upgrades, set),
    };
  }

  /// What the engine's index of names finds for a text, which knows nicknames. Returns undefined while it is asked.
  find(verb: Listed, text: string, set: string): Found | undefined {
    const key = `${set}/${verb}/${text}`;
    const known = this.found.get(key);
    if (known !== undefined) return known ?? undefined;
    if (this.found.size >= 1000) this.found.clear();
    this.found.set(key, null);
    this.begun
      .then(() => this.engine.ask(verb, { words: text, cards: set }))
      .then(({ data }) => {
        const answer = data as Partial<Record<Listed, { id: string }[]>> & Pick<Found, 'reading'>;
        const ids = (answer[verb] ?? []).map((entry) => entry.id);
        this.found.set(key, { ids, ...(answer.reading ? { reading: answer.reading } : {}) });
      })
      .catch(() => this.found.set(key, { ids: [] }))
      .finally(() => this.notify());
    return undefined;
  }

  /// The pages of a card, of any kind if `kind` is undefined. Returns undefined while they are loading and an empty list for an unknown
  /// card.
  cards(id: string, kind: string | undefined, set: string | undefined): CardPage[] | undefined {
    const key = `${set ?? ''}/${kind ?? ''}/${id}`;
    const known = this.pages.get(key);
    if (known !== undefined) return known ?? undefined;
    this.pages.set(key, null);
    this.named
      .then(() => this.engine.ask('cards', { show: id, ...(kind ? { kind } : {}), ...(set ? { cards: set, ...(gameOf(set) === 'first' ? { rules: 'first-edition' } : {}) } : {}) }))
      .then(({ data }) => this.pages.set(key, (data as { cards?: CardPage[] }).cards ?? []))
      .catch(() => this.pages.set(key, []))
      .finally(() => this.notify());
    return undefined;
  }
  /// Like cards(), but empty for a card that the user has replaced with a home-made one.
  cardsInUse(id: string, kind: string | undefined, set: string | undefined): CardPage[] | undefined {
    const mine = this.own.list.some((card) => card.id === id && (kind === undefined || card.kind === kind));
    return mine ? [] : this.cards(id, kind, set);
  }
}

export const LibraryContext = createContext<Library | undefined>(undefined);

/// Returns the library, and redraws the component whenever the library has loaded something.
export function useLibrary(): Library {
  const library = useContext(LibraryContext);
  const [, draw] = useState(0);
  useEffect(() => library?.listen(() => draw((n) => n + 1)), [library]);
  if (!library) throw new Error('no library');
  return library;
}

export const setOf = (rules: Rules): string => rules.cards ?? (rules.rules === 'first-edition' ? 'first-edition' : 'xwa');

/// Reduces a name to its letters and digits for comparison.
export const plainly = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '');

/// The entry of a list with an id, of the card set if that has one.
export const ofSet = <T extends { id: string; sets: string[] }>(list: T[], id: string, set: string): T | undefined =>
  list.find((entry) => entry.id === id && entry.sets.includes(set)) ?? list.find((entry) => entry.id === id);

export function shipFacts(library: Library, ship: Ship, rules: Rules): { pilot?: PilotName; ship?: ShipName } {
  const set = setOf(rules);
  const pilot = ship.pilot ? ofSet(library.names.pilots, ship.pilot, set) : undefined;
  const hull = ship.ship
    ? ofSet(library.names.ships, ship.ship, set)
    : pilot && (library.names.ships.find((entry) => entry.name === pilot.ship && entry.sets.includes(set)) ??
        library.names.ships.find((entry) => entry.name === pilot.ship));
  return { ...(pilot ? { pilot } : {}), ...(hull ? { ship: hull } : {}) };
}

export const upgradeName = (library: Library, id: string, rules: Rules): string =>
  ofSet(library.names.upgrades, id, setOf(rules))?.name ?? id;

/// The name of a ship: its pilot, else its type, else its dice.
export function shipName(library: Library, ship: Ship, rules: Rules, role: 'attacker' | 'defender'): string {
  const known = shipFacts(library, ship, rules);
  if (ship.pilot) return known.pilot?.name ?? ship.pilot;
  if (ship.ship) return known.ship?.name ?? ship.ship;
  return words.dice((role === 'attacker' ? ship.attack : ship.agility) ?? 0, role);
}

/// The keys "pilot:ID" and "ship:ID" of a text: first the one for which a SPEC takes it, then all that the engine finds.
export function readShip(pilots: Found | undefined, ships: Found | undefined): { first: string | undefined; keys: string[] } {
  const key = (kind: string, found: Found | undefined, whole: boolean): string[] =>
    found?.reading?.whole === whole ? [`${kind}:${found.reading.id}`] : [];
  const [whole] = [...key('pilot', pilots, true), ...key('ship', ships, true)];
  const parts = [...key('pilot', pilots, false), ...key('ship', ships, false)];
  const first = whole ?? (parts.length === 1 ? parts[0] : undefined);
  return { first, keys: [...(ships?.ids ?? []).map((id) => `ship:${id}`), ...(pilots?.ids ?? []).map((id) => `pilot:${id}`)] };
}

/// Puts the program's reading first, and appends what only the engine finds.
export function withReading<T>(found: T[], all: readonly T[], keyOf: (entry: T) => string, first: string | undefined, keys: readonly string[]): T[] {
  const wanted = new Set(keys);
  const here = new Set(found.map(keyOf));
  const merged = [...found, ...all.filter((entry) => wanted.has(keyOf(entry)) && !here.has(keyOf(entry)))];
  const top = first === undefined ? undefined : all.find((entry) => keyOf(entry) === first);
  return top ? [top, ...merged.filter((entry) => keyOf(entry) !== first)] : merged;
}

export interface Choice {
  key: string;
  label: string;
  detail: string;
}

/// The matching entries, best first: the whole name, its beginning, the beginning of a word, any part, all words anywhere.
export function matches<T>(list: readonly T[], text: string, nameOf: (entry: T) => string, moreOf: (entry: T) => string, most = 30): T[] {
  const wanted = plainly(text);
  if (wanted === '') return list.slice(0, most);
  const parts = text.split(/[\s,]+/).map(plainly).filter(Boolean);
  const scored: { entry: T; score: number; at: number }[] = [];
  list.forEach((entry, at) => {
    const name = nameOf(entry);
    const flat = plainly(name);
    const wordStarts = name.split(/[^\p{L}\p{N}]+/u).map(plainly);
    let score = -1;
    if (flat === wanted) score = 0;
    else if (flat.startsWith(wanted)) score = 1;
    else if (wordStarts.some((word) => word.startsWith(wanted))) score = 2;
    else if (flat.includes(wanted)) score = 3;
    else {
      const all = flat + plainly(moreOf(entry));
      if (parts.every((part) => all.includes(part))) score = 4;
    }
    if (score >= 0) scored.push({ entry, score, at });
  });
  scored.sort((a, b) => a.score - b.score || a.at - b.at);
  return scored.slice(0, most).map(({ entry }) => entry);
}
