// How the files of src import each other.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

/// Types count, and so does what is fetched on demand.
function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']*)'/g)].flatMap(([, path]) => {
    const target = join(src, dirname(file), path!);
    const found = ['', '.ts', '.tsx'].map((ending) => target + ending).find((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
    return found ? [relative(src, found)] : [];
  });
}

/// A chain of imports that ends where it began, if there is one.
function cycleOf(imports: ReadonlyMap<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of imports.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  return [...imports.keys()].map((file) => visit(file, [])).find((cycle) => cycle !== undefined);
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

it('no file imports itself, not through others either', () => {
  expect(imports.get('shell.tsx')).toContain('views/view.tsx');
  expect(imports.get('views/view.tsx')).toContain('views/further/battle.tsx');
  expect(cycleOf(imports)).toBeUndefined();
  expect(cycleOf(new Map([['a', ['b', 'c']], ['b', []], ['c', ['d']], ['d', ['b', 'c']]]))).toEqual(['c', 'd', 'c']);
});

it('views import no other view: what they share is a part', () => {
  const views = imports.get('views/view.tsx')!.filter((file) => file.startsWith('views/') && !/later|props/.test(file));
  expect(views).toHaveLength(12);
  const among = files.filter((file) => file !== 'views/view.tsx').flatMap((file) => imports.get(file)!.filter((other) => views.includes(other)).map((other) => `${file} imports ${other}`));
  expect(among).toEqual([]);
});
