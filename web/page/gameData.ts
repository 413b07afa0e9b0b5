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

/// The policies of battles, as requests name them.
const policies = (): string[] => JSON.parse(read('docs/schemas/request.schema.json')).$defs.battle.properties.my_policy.enum;

/// The squads that serve as examples.
const squads = (): object[] =>
  filesIn('profiles/squads/').map((file) => {
    const xws = JSON.parse(read(`profiles/squads/${file}`));
    return { name: xws.name, text: JSON.stringify(xws) };
  });

/// Makes `flights`, `policies` and `squads` available as `virtual:game-data` (src/gameData.d.ts).
export function gameData(): Plugin {
  const name = 'virtual:game-data';
  return {
    name: 'salvo-game-data',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}`
        ? Object.entries({ flights, policies, squads }).map(([key, list]) => `export const ${key} = ${JSON.stringify(list())};`).join('\n')
        : undefined,
  };
}
