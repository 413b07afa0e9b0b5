/// Game data that the page reads when it is built, so that what is added to the data appears on the page by itself.
import { readFileSync, readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const filesIn = (folder: string): string[] => readdirSync(new URL(folder, root)).sort();

/// The flights, each with the sentence that its file begins with.
const flights = (): object[] =>
  filesIn('profiles/flights/').map((file) => {
    const text = read(`profiles/flights/${file}`);
    const value = (key: string): string => new RegExp(`^${key} = "(.*)"$`, 'm').exec(text)?.[1] ?? '';
    return { id: value('id'), name: value('name'), meaning: /^# (.*)$/m.exec(text)?.[1] ?? '' };
  });

type Field = { enum: string[]; description: string };
const fields = (): Record<'policy' | 'flight', Field> => JSON.parse(read('docs/schemas/request.schema.json')).$defs.gauntlet.properties;

/// The policies of battles, as requests name them.
const policies = (): string[] => fields().policy.enum;

/// The values of keys that a request leaves out.
const defaults = (): object => {
  const of = (key: 'policy' | 'flight'): string | undefined => /default ([a-z0-9-]+)/.exec(fields()[key].description)?.[1];
  return { policy: of('policy'), flight: of('flight') };
};

/// The squads that serve as examples.
const squads = (): object[] =>
  filesIn('profiles/squads/').map((file) => {
    const xws = JSON.parse(read(`profiles/squads/${file}`));
    return { name: xws.name, text: JSON.stringify(xws) };
  });

/// Makes `flights`, `policies`, `defaults` and `squads` available as `virtual:game-data` (src/gameData.d.ts).
export function gameData(): Plugin {
  const name = 'virtual:game-data';
  return {
    name: 'salvo-game-data',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}`
        ? Object.entries({ flights, policies, defaults, squads }).map(([key, list]) => `export const ${key} = ${JSON.stringify(list())};`).join('\n')
        : undefined,
  };
}
