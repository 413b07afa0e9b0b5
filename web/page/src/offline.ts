/// Caches the page for offline visits. Asked for once the names are there: by then everything that a first visit needs has arrived.
let asked = false;

export function cachePage(): void {
  if (asked || !import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  asked = true;
  navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
}
