// A loopback server for development and tests. It serves the built page, and runs `salvo request VERB` for POST /v1/VERB.
//   SALVO=.../salvo node test/bridge.mjs [PORT] [--no-engine]
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const verbs = [
  'run', 'advise', 'worth', 'order', 'squad', 'compare', 'durability', 'hazard', 'ships', 'pilots', 'upgrades', 'weapons', 'cards', 'rules',
  'luck', 'review', 'battle', 'gauntlet',
];

export const page = fileURLToPath(new URL('../dist/', import.meta.url));
export const salvo = process.env.SALVO ?? fileURLToPath(new URL('../../../build/release/salvo', import.meta.url));

/// Returns the native program's answer or error, which is one JSON document. `signal` stops the program.
export function ask(verb, body, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(salvo, ['request', verb, '-'], { timeout: 120_000, signal });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (err += data));
    child.on('error', reject);
    child.on('close', () => (out ? resolve(out) : reject(new Error(err))));
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(body));
  });
}

/// `engine: false` makes a host of plain files. The verbs of `never` get no answer.
export function serve({ port = 0, engine = true, never = [], root = page } = {}) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (engine && path === '/healthz') {
      response.setHeader('content-type', 'application/json');
      return response.end('{"status":"ok"}');
    }
    const verb = /^\/v1\/(\w+)$/.exec(path)?.[1];
    if (engine && request.method === 'POST' && verbs.includes(verb)) {
      let body = '';
      request.on('data', (data) => (body += data));
      request.on('end', async () => {
        response.setHeader('content-type', 'application/json');
        const left = new AbortController();
        response.on('close', () => left.abort());
        try {
          const answer = await ask(verb, JSON.parse(body), left.signal);
          if (!never.includes(verb)) response.end(answer);
        } catch (error) {
          response.statusCode = 500;
          response.end(JSON.stringify({ error: { place: '', message: String(error.message), status: 4 } }));
        }
      });
      return undefined;
    }
    const file = join(root, path === '/' ? 'index.html' : path);
    if (!file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) {
      response.statusCode = 404;
      return response.end('not found');
    }
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    return createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve({ server, base: `http://127.0.0.1:${server.address().port}/` })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { base } = await serve({ port: Number(process.argv[2] ?? 8099), engine: !process.argv.includes('--no-engine') });
  console.log(base);
}
