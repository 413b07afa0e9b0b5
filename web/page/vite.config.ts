import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { compressed } from './compressed.ts';
import { gameData } from './gameData.ts';

/// Writes the lists of the page's files into the service worker, which caches those of a first visit at once, the other views later.
function offline(): Plugin {
  return {
    name: 'salvo-offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((name) => name !== 'service-worker.js' && !name.endsWith('.map') && !isFurther(name));
      const list = ['./', ...files, 'icon.svg', 'manifest.webmanifest'].sort();
      const views = Object.keys(bundle).filter((name) => isFurther(name) && /\.(js|css)$/.test(name) && !name.includes('salvo-')).sort();
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk') throw new Error('no service worker');
      const version = list.join(' ');
      const texts = { __FILES__: list, __VIEWS__: views, __VERSION__: hash(version) };
      for (const [name, value] of Object.entries(texts)) worker.code = worker.code.replace(name, JSON.stringify(value));
    },
  };
}

/// Preloads what the first script imports, the page with its parts. The engine is not among it, as a slow connection would share its
/// rate between both: the first script fetches it, so that the form works before it is there.
function early(): Plugin {
  return {
    name: 'salvo-early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.values(bundle ?? {}).flatMap((file) =>
          file.type === 'chunk' && !file.isEntry && !isFurther(file.fileName)
            ? [{ tag: 'link', attrs: { rel: 'modulepreload', href: `./${file.fileName}` }, injectTo: 'head' as const }]
            : [],
        ),
    },
  };
}

/// Few questions need the complete engine, the further profiles and some fields, and few visits all views, so they are fetched on
/// demand.
const isFurther = (name: string): boolean => name.includes('-further');

/// The modules of the page that a first visit runs: what the first script imports, but not on demand.
function firstModules(): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (path: string): void => {
    const file = ['', '.ts', '.tsx'].map((ending) => path + ending).find((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
    if (!file || found.has(file)) return;
    found.add(file);
    for (const [, other] of readFileSync(file, 'utf8').matchAll(/^import (?!type )(?:[^']*? from )?'(\.[^']+)'/gm)) add(join(dirname(file), other!));
  };
  add(fileURLToPath(new URL('src/page', import.meta.url)));
  return found;
}
const first = firstModules();

function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const char of text) value = BigInt.asUintN(64, (value ^ BigInt(char.codePointAt(0)!)) * 0x100000001b3n);
  return value.toString(36);
}

export default defineConfig({
  base: './',
  // Preact needs no plugin: the compiler generates its JSX calls.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false, // early() adds the links to the document
    rolldownOptions: {
      input: { index: 'index.html', 'service-worker': 'src/service-worker.ts' },
      output: {
        entryFileNames: (chunk) => (chunk.name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        chunkFileNames: ({ name }) => (/^(page|start|rolldown-runtime)$/.test(name) ? 'assets/[name]-[hash].js' : 'assets/[name]-further-[hash].js'),
        advancedChunks: {
          groups: [
            // What the first script needs: it must not wait for the page.
            { name: 'start', priority: 2, test: /preload-helper|rolldown.runtime|\/src\/engine\// },
            // One chunk for the page and what views fetched on demand share with it, as two compress worse.
            { name: 'page', test: (id) => first.has(id) || /\/preact/.test(id) },
          ],
        },
        // The page has one style sheet, which the document names; views fetched on demand bring their own.
        assetFileNames: ({ names: [name = ''] }) => (name.endsWith('.css') && name !== 'index.css' ? 'assets/[name]-further-[hash][extname]' : 'assets/[name]-[hash][extname]'),
      },
    },
  },
  worker: { format: 'es' },
  plugins: [gameData(), offline(), early(), compressed()],
  // Without a proxy the preview answers every address with the page, by which the page knows that no server is there.
  preview: { proxy: {} },
  // In development test/bridge.mjs serves the engine at this address.
  server: { proxy: { '/v1': 'http://127.0.0.1:8099', '/healthz': 'http://127.0.0.1:8099' } },
});
