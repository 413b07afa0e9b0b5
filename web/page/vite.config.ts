import { defineConfig, type Plugin } from 'vite';
import { gameData } from './gameData.ts';

/// Writes the list of the page's files into the service worker, which caches all of them on the first visit.
function offline(): Plugin {
  return {
    name: 'salvo-offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((name) => name !== 'service-worker.js' && !name.endsWith('.map') && !isFurther(name));
      const list = ['./', ...files, 'icon.svg', 'manifest.webmanifest'].sort();
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk') throw new Error('no service worker');
      const version = list.join(' ');
      worker.code = worker.code.replace('__FILES__', JSON.stringify(list)).replace('__VERSION__', JSON.stringify(hash(version)));
    },
  };
}

/// Preloads what the first script imports and fetches: the page with its parts, and the files of the engine.
function early(): Plugin {
  const link = (name: string, attrs: Record<string, string | boolean>) => ({ tag: 'link', attrs: { ...attrs, href: `./${name}` }, injectTo: 'head' as const });
  return {
    name: 'salvo-early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.values(bundle ?? {}).flatMap((file) => {
          const name = file.fileName;
          if (file.type === 'chunk' && !file.isEntry && !isFurther(name)) return [link(name, { rel: 'modulepreload' })];
          const ofEngine = /\/(salvo|profiles)-[^/]*\.(wasm|pack)$/.test(name) && !isFurther(name);
          return ofEngine ? [link(name, { rel: 'preload', as: 'fetch', crossorigin: true })] : [];
        }),
    },
  };
}

/// Few questions need the complete engine, the further profiles and some fields, and few visits all views, so they are fetched on
/// demand.
const isFurther = (name: string): boolean => name.includes('-further');

/// The views fetched on demand, and the modules that only they share.
const fetchedOnDemand = /\/src\/(.*\/further\/|.*-further\.|views\/(cards|hazards))/;

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
        chunkFileNames: ({ name }) => (name === 'page' || name === 'start' ? 'assets/[name]-[hash].js' : 'assets/[name]-further-[hash].js'),
        advancedChunks: {
          groups: [
            // What the first script needs: it must not wait for the page.
            { name: 'start', priority: 2, test: /preload-helper|rolldown.runtime|\/src\/engine\// },
            // One chunk for the page and what views fetched on demand share with it, as two compress worse.
            { name: 'page', test: (id) => /\/src\/(page|shell|parts|state|views|words)|\/preact/.test(id) && !fetchedOnDemand.test(id) },
          ],
        },
        // The page has one style sheet, which the document names; views fetched on demand bring their own.
        assetFileNames: ({ names: [name = ''] }) => (name.endsWith('.css') && name !== 'index.css' ? 'assets/[name]-further-[hash][extname]' : 'assets/[name]-[hash][extname]'),
      },
    },
  },
  worker: { format: 'es' },
  plugins: [gameData(), offline(), early()],
  // Without a proxy the preview answers every address with the page, by which the page knows that no server is there.
  preview: { proxy: {} },
  // In development test/bridge.mjs serves the engine at this address.
  server: { proxy: { '/v1': 'http://127.0.0.1:8099', '/healthz': 'http://127.0.0.1:8099' } },
});
