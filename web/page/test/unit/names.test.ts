// A name means the same ship in the page's fields and in a SPEC of the program, whose server answers both here.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deckCards } from '../../src/parts/decks';
import { AskError, type Answer, type Engine } from '../../src/engine/engine';
import { Library, plainly, readShip, withReading, type Found } from '../../src/parts/library';
import { OwnCards } from '../../src/state/own';

interface Entry {
  id: string;
  name: string;
}
const salvo = process.env.SALVO;
const sets = [['xwa'], ['2025'], ['legacy'], ['first-edition', 'first-edition']] as const;

async function serve(): Promise<{ base: string; end: () => void }> {
  const child = spawn(salvo!, ['serve', '--port', '0', '--page', 'none'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const base = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (data: Buffer): void => {
      said += data;
      const found = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (found) resolve(`${found}/v1/`);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', () => reject(new Error(said)));
  });
  return { base, end: () => child.kill() };
}

/// The names printed on pilots, and players' nicknames.
function cardNames(): string[] {
  const rows = (file: string): string[][] =>
    readFileSync(new URL(`../../../../profiles/${file}`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t'));
  const printed = rows('names.tsv').filter(([kind]) => kind === 'pilot').map(([, , name]) => name!);
  const nicknames = rows('nicknames.tsv').filter(([kind]) => kind !== 'upgrade').map(([, name]) => name!);
  return [...new Set([...nicknames, ...printed.map((name) => name.replaceAll('"', ''))])];
}

describe('damage cards', () => {
  it('are those of the decks', () => {
    const ids = (file: string): string[] =>
      [...readFileSync(new URL(`../../../../profiles/decks/${file}.toml`, import.meta.url), 'utf8').matchAll(/\[\[card\]\]\nid = "([^"]+)"/g)].map(([, id]) => id!).sort();
    expect(deckCards(undefined, undefined).sort()).toEqual(ids('second-edition/core'));
    expect(deckCards('first-edition', undefined).sort()).toEqual(ids('first-edition/core'));
    expect(deckCards('first-edition', 'core-tfa').sort()).toEqual(ids('first-edition/core-tfa'));
  });
});

describe('names that do not come', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const hour = 3_600_000;

  /// A library whose engine answers with what `ask` throws or returns, and the sets that it was asked for.
  function libraryOf(ask: (set: string) => object): { library: Library; asked: string[] } {
    const asked: string[] = [];
    const engine: Engine = {
      kind: 'browser',
      ask: async (verb, body): Promise<Answer> => {
        const { cards } = body as { cards: string };
        if (verb === 'ships') asked.push(cards);
        return { text: '', data: ask(cards), from: 'browser' };
      },
    };
    const library = new Library(engine, new OwnCards(undefined));
    library.begin();
    return { library, asked };
  }
  const unreachable = (): never => {
    throw new AskError('the engine cannot be loaded');
  };

  it('are asked for a few times, ever later, and again when they are next needed', async () => {
    const { library, asked } = libraryOf(unreachable);
    library.load('xwa');
    const counts = [];
    for (const passed of [0, 3000, 6000, 12_000, 24_000, hour]) {
      await vi.advanceTimersByTimeAsync(passed);
      counts.push(asked.length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 5]);
    library.load('xwa');
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.length).toBe(6);
  });

  it('are there once they have come', async () => {
    let away = true;
    const { library, asked } = libraryOf(() => (away ? unreachable() : {}));
    library.load('xwa');
    await vi.advanceTimersByTimeAsync(1000);
    away = false;
    await vi.advanceTimersByTimeAsync(hour);
    library.load('xwa');
    await vi.advanceTimersByTimeAsync(hour);
    expect([asked.length, library.loadedSet('xwa')]).toEqual([2, true]);
  });

  it('are not asked for again if there are none, nor if another set is shown', async () => {
    const { library, asked } = libraryOf((set) => {
      if (set === '2025') return {};
      throw new AskError('', '', set === 'nonsense' ? 2 : 4);
    });
    for (const set of ['nonsense', 'xwa', '2025']) {
      library.load(set);
      await vi.advanceTimersByTimeAsync(set === 'nonsense' ? hour : 1000);
    }
    await vi.advanceTimersByTimeAsync(hour);
    expect(asked).toEqual(['nonsense', 'xwa', '2025']);
  });
});

describe('names', () => {
  it('put the reading first, and add what only the index finds', () => {
    const pilots: Found = { ids: ['a', 'b'], reading: { id: 'b', whole: false } };
    const ships: Found = { ids: ['c'], reading: { id: 'c', whole: true } };
    expect(readShip(pilots, ships)).toEqual({ first: 'ship:c', keys: ['ship:c', 'pilot:a', 'pilot:b'] });
    expect(readShip(pilots, { ids: [], reading: { id: 'x', whole: false } }).first).toBeUndefined();
    expect(readShip(pilots, { ids: [] }).first).toBe('pilot:b');
    expect(readShip(undefined, undefined)).toEqual({ first: undefined, keys: [] });
    expect(withReading(['p', 'q'], ['p', 'q', 'r', 's'], (x) => x, 's', ['r', 's', 'p'])).toEqual(['s', 'p', 'q', 'r']);
  });

  it.skipIf(!salvo)('mean the same ship as in a SPEC, in four card sets', { timeout: 300_000 }, async () => {
    const { base, end } = await serve();
    const ask = async (verb: string, body: object): Promise<Record<string, unknown>> =>
      (await fetch(base + verb, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json() as Promise<Record<string, unknown>>;
    let compared = 0;
    const wrong: string[] = [];
    try {
      for (const [cards, rules] of sets) {
        const edition = rules ? { rules } : {};
        const printed = (await ask('ships', { cards })).ships as Entry[];
        for (const name of [...cardNames(), ...printed.map((ship) => ship.name)]) {
          const answer = await ask('run', { ...edition, cards, attack: [`"${name}"`] });
          if (answer.format !== 1) continue; // no ship, or none that attacks
          const notes = ((answer.notes ?? []) as string[]).join('\n');
          const found = async (verb: string): Promise<Found & { list: Entry[] }> => {
            const given = await ask(verb, { cards, words: name });
            const list = given[verb] as Entry[];
            return { list, ids: list.map(({ id }) => id), ...(given.reading ? { reading: given.reading as { id: string; whole: boolean } } : {}) };
          };
          const [pilots, ships] = [await found('pilots'), await found('ships')];
          const first = readShip(pilots, ships).first;
          const note = /the (pilot|ship) ".*" is read as (\S+)/.exec(notes);
          // Without a note the name or id is that of only one card.
          const same = (entry: Entry): boolean => [entry.id, plainly(entry.name)].includes(plainly(name));
          const sure = [...pilots.list.filter(same).map(({ id }) => `pilot:${id}`), ...ships.list.filter(same).map(({ id }) => `ship:${id}`)];
          const expected = note ? [`${note[1]}:${note[2]}`] : sure;
          ++compared;
          if (!expected.includes(first ?? '')) wrong.push(`${cards} ${name}: ${first} instead of ${expected.join(' or ')}`);
        }
      }
    } finally {
      end();
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(1500);
  });
});
