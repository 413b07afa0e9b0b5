import { defineConfig, type Plugin } from 'vite';

/// The list of what the page consists of, for the service worker: it keeps all of it at the first visit.
function offline(): Plugin {
  return {
    name: 'salvo-offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((name) => name !== 'service-worker.js' && !name.endsWith('.map'));
      const list = ['./', ...files, 'icon.svg', 'manifest.webmanifest'].sort();
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk') throw new Error('no service worker');
      const version = list.join(' ');
      worker.code = worker.code.replace('__FILES__', JSON.stringify(list)).replace('__VERSION__', JSON.stringify(hash(version)));
    },
  };
}

function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const char of text) value = BigInt.asUintN(64, (value ^ BigInt(char.codePointAt(0)!)) * 0x100000001b3n);
  return value.toString(36);
}

export default defineConfig({
  base: './',
  // Preact without a plugin: the compiler knows how to make its calls.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', 'service-worker': 'src/service-worker.ts' },
      output: { entryFileNames: (chunk) => (chunk.name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js') },
    },
  },
  worker: { format: 'es' },
  plugins: [offline()],
  // In development the engine is a program behind this address: test/bridge.mjs.
  server: { proxy: { '/v1': 'http://127.0.0.1:8099', '/healthz': 'http://127.0.0.1:8099' } },
});
