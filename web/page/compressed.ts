/// Serves the built page compressed, as a host of files would.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.pack': 'application/octet-stream',
  '.webmanifest': 'application/manifest+json',
};

/// By the name of the encoding: the ending of compressed files, and what makes them. The best comes first.
const encodings = {
  br: {
    ending: '.br',
    pack: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }),
  },
  gzip: { ending: '.gz', pack: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }) },
};

/// Compresses the files of a folder that are not compressed yet. The copies lie beside them.
export async function compressAll(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) in types).map((name) => join(folder, name));
  const missing = files.flatMap((file) => Object.values(encodings).map(({ ending, pack }) => ({ file, to: file + ending, pack }))).filter(({ to }) => !existsSync(to));
  await Promise.all(missing.map(async ({ file, to, pack }) => writeFileSync(to, await pack(readFileSync(file)))));
}

/// The compressed copy of a file that a client accepts.
function copyFor(file: string, accepted: string): { name: string; path: string } | undefined {
  const names = accepted.split(',').map((part) => part.trim()).filter((part) => !/;\s*q=0(\.0*)?$/.test(part)).map((part) => part.split(';')[0]);
  return Object.entries(encodings)
    .filter(([name]) => names.includes(name))
    .map(([name, { ending }]) => ({ name, path: file + ending }))
    .find(({ path }) => existsSync(path));
}

export function compressed(): Plugin {
  return {
    name: 'salvo-compressed',
    async configurePreviewServer(server) {
      const root = join(server.config.root, server.config.build.outDir);
      await compressAll(root);
      server.middlewares.use((request, response, next) => {
        const path = decodeURI(new URL(request.url ?? '/', 'http://host').pathname);
        const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
        const type = types[extname(file)];
        const known = type && file.startsWith(root + sep) && statSync(file, { throwIfNoEntry: false })?.isFile();
        const copy = known ? copyFor(file, String(request.headers['accept-encoding'] ?? '')) : undefined;
        if (!copy || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
        const bytes = readFileSync(copy.path);
        const forever = path.includes('/assets/'); // their names change with their content
        response.writeHead(200, {
          'Content-Type': type!,
          'Content-Encoding': copy.name,
          'Content-Length': bytes.length,
          'Cache-Control': forever ? 'public, max-age=31536000, immutable' : 'no-cache',
          Vary: 'Accept-Encoding',
        });
        response.end(request.method === 'HEAD' ? undefined : bytes);
      });
    },
  };
}
