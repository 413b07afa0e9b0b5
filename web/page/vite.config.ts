import { defineConfig, type Plugin } from 'vite';

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
      handler: (_, { bundle }) => {
        const files = Object.values(bundle ?? {});
        const pages = files.flatMap((file) => (file.type === 'chunk' && file.isDynamicEntry && !isFurther(file.fileName) ? [file.fileName, ...file.imports] : []));
        const first = files.flatMap((file) => (file.type === 'chunk' && file.isEntry ? [file.fileName] : []));
        return [
          ...[...new Set(pages)].filter((name) => !first.includes(name)).map((name) => link(name, { rel: 'modulepreload' })),
          ...files.map((file) => file.fileName).filter((name) => /\/(salvo|profiles)-[^/]*\.(wasm|pack)$/.test(name) && !isFurther(name)).map((name) => link(name, { rel: 'preload', as: 'fetch', crossorigin: true })),
        ];
      },
    },
  };
}

/// Few questions need the complete engine and the further profiles, and few visits all views, so they are fetched on demand.
const isFurther = (name: string): boolean => name.includes('-further');

/// The modules that views fetched on demand share.
const sharedByFurther = /\/src\/(views|parts|state|words)\/further\//;

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
        // One file for what every visit needs: it compresses better, and arrives at once.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'page', test: /\/(preact|src)\/(?!(engine|\w+\/further|views\/(cards|hazards)|main|style|service-worker)\b)/ }],
        },
        entryFileNames: (chunk) => (chunk.name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        chunkFileNames: (chunk) =>
          chunk.name !== 'page' && (chunk.isDynamicEntry || chunk.moduleIds.some((id) => sharedByFurther.test(id))) ? 'assets/[name]-further-[hash].js' : 'assets/[name]-[hash].js',
        assetFileNames: ({ originalFileNames }) =>
          originalFileNames.some((name) => sharedByFurther.test(`/${name}`)) ? 'assets/[name]-further-[hash][extname]' : 'assets/[name]-[hash][extname]',
      },
    },
  },
  worker: { format: 'es' },
  plugins: [offline(), early()],
  // In development test/bridge.mjs serves the engine at this address.
  server: { proxy: { '/v1': 'http://127.0.0.1:8099', '/healthz': 'http://127.0.0.1:8099' } },
});
