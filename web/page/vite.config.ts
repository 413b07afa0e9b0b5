import { createHash } from 'node:crypto';
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

/// Starts the engine's worker and preloads what the first script imports: the document alone says what a first visit fetches, so that
/// nothing of it waits for a script. The worker fetches the engine after its own script, when most of the page has arrived: the form
/// works before the engine is there. The content security policy allows this one inline script by its hash.
function early(): Plugin {
  return {
    name: 'salvo-early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const files = Object.values(bundle ?? {});
        const worker = files.find(({ fileName }) => /\/worker-[^/]*\.js$/.test(fileName));
        if (!worker) throw new Error('no worker');
        // If the worker cannot be started, the page tries again and reports why. A link with ships or cards needs their pack at once.
        const script = `var salvoWorker=new Worker('./${worker.fileName}',{type:'module',name:'salvo-eager'+(/[?&][adeimtz]=[:.%a-z]|\\.[a-z]/i.test(location.hash)?'-cards':'')});salvoWorker.onerror=()=>{salvoWorker=void 0}`;
        const allowed = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
        // Without a link the worker's script would wait until the style sheet is there.
        const preloads = files.filter((file) => file === worker || (file.type === 'chunk' && !file.isEntry && !isFurther(file.fileName)));
        return {
          // The inline script stands before the style sheet, for which it would wait.
          html: html.replace("script-src 'self'", (start) => `${start} ${allowed}`).replace('<script', (start) => `<script>${script}</script>\n    ${start}`),
          tags: preloads.map(({ fileName }) => ({ tag: 'link', attrs: { rel: 'modulepreload', href: `./${fileName}` }, injectTo: 'head' as const })),
        };
      },
    },
  };
}

/// Lets Chromium compile the functions of the page beside the page's thread, which would otherwise compile them one by one as it draws.
function compiledEarly(): Plugin {
  return {
    name: 'salvo-compiled-early',
    apply: 'build',
    generateBundle: {
      order: 'post', // the comment must be the first line
      handler(_, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.name === 'page') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
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
        chunkFileNames: ({ name }) => (/^(page|rolldown-runtime)$/.test(name) ? 'assets/[name]-[hash].js' : 'assets/[name]-further-[hash].js'),
        advancedChunks: {
          groups: [
            // One chunk for the page and what views fetched on demand share with it, as two compress worse.
            { name: 'page', test: (id) => first.has(id) || /\/preact|preload-helper|rolldown.runtime|\/src\/engine\//.test(id) },
          ],
        },
        // The page has one style sheet, which the document names; views fetched on demand bring their own.
        assetFileNames: ({ names: [name = ''] }) => (name.endsWith('.css') && name !== 'index.css' ? 'assets/[name]-further-[hash][extname]' : 'assets/[name]-[hash][extname]'),
      },
    },
  },
  worker: { format: 'es' },
  plugins: [gameData(), offline(), early(), compiledEarly(), compressed()],
  // Without a proxy the preview answers every address with the page, by which the page knows that no server is there.
  preview: { proxy: {} },
  // In development test/bridge.mjs serves the engine at this address.
  server: { proxy: { '/v1': 'http://127.0.0.1:8099', '/healthz': 'http://127.0.0.1:8099' } },
});
