/// Keeps the page, so that it works without a network after the first visit.
export {};
declare const self: ServiceWorkerGlobalScope;
declare const __FILES__: string[];
declare const __VERSION__: string;

const cacheName = `salvo-${__VERSION__}`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(cacheName);
      // Files with a hash in their name never change: what the page has loaded by now is not loaded again.
      const freshness = (file: string): RequestCache => (file.startsWith('assets/') ? 'default' : 'no-cache');
      await cache.addAll(__FILES__.map((file) => new Request(new URL(file, self.registration.scope), { cache: freshness(file) })));
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
        // The newest page where there is a network, the kept one where there is none.
        try {
          const response = await fetch(request);
          if (response.ok) return response;
        } catch {
          // No network.
        }
        return (await cache.match('./')) ?? Response.error();
      }
      const kept = await cache.match(request);
      if (kept) return kept;
      const response = await fetch(request);
      // What was not needed before is kept from now on.
      if (response.ok && new URL(request.url).pathname.startsWith(new URL('assets/', self.registration.scope).pathname)) {
        event.waitUntil(cache.put(request, response.clone()).catch(() => undefined)); // there may be no room
      }
      return response;
    })(),
  );
});
