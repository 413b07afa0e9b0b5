/// Caches the page, so that it works offline after the first visit.
export {};
declare const self: ServiceWorkerGlobalScope;
declare const __FILES__: string[];
declare const __VIEWS__: string[];
declare const __VERSION__: string;

const cacheName = `salvo-${__VERSION__}`;
/// How long after a later visit has begun the views that were never shown are cached: its answer goes first.
const VIEWS_DELAY_MS = 5000;

/// Whether the response is the file: a network that wants a login answers with a page of its own instead, and status 200.
const isFile = (file: Request, response: Response): boolean =>
  response.ok && (file.url.endsWith('/') || !response.headers.get('content-type')?.startsWith('text/html'));

async function store(cache: Cache, file: Request): Promise<void> {
  const response = await fetch(file);
  if (!isFile(file, response)) throw new TypeError(`${file.url} was not received`);
  await cache.put(file, response);
}

/// A first visit fetches little. Those who come back have all views offline.
async function cacheViews(): Promise<void> {
  await new Promise((done) => setTimeout(done, VIEWS_DELAY_MS));
  const cache = await caches.open(cacheName);
  for (const file of __VIEWS__) {
    const request = new Request(new URL(file, self.registration.scope));
    if (!(await cache.match(request))) await store(cache, request);
  }
}

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(cacheName);
      // Files with a hash in their name never change, so copies in the browser's cache can be reused.
      const freshness = (file: string): RequestCache => (file.startsWith('assets/') ? 'default' : 'no-cache');
      await Promise.all(__FILES__.map((file) => store(cache, new Request(new URL(file, self.registration.scope), { cache: freshness(file) }))));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith('salvo-') && name !== cacheName) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  if (new URL(request.url).pathname.endsWith('/healthz')) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(cacheName);
      if (request.mode === 'navigate') {
        event.waitUntil(cacheViews().catch(() => undefined)); // offline, or the quota is exhausted
        // Network first, so that an online visit gets the newest page.
        try {
          const response = await fetch(request);
          if (response.ok) return response;
        } catch {
          // Offline: use the cache.
        }
        return (await cache.match('./')) ?? Response.error();
      }
      const cached = await cache.match(request);
      if (cached) return cached;
      const response = await fetch(request);
      // Cache assets that are not among the files of the first visit, such as the complete engine.
      if (isFile(request, response) && new URL(request.url).pathname.startsWith(new URL('assets/', self.registration.scope).pathname)) {
        event.waitUntil(cache.put(request, response.clone()).catch(() => undefined)); // the quota may be exhausted
      }
      return response;
    })(),
  );
});
