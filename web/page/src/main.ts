/// The entry of the page. It is small, so that the engine starts before the rest has been parsed.
import { pickEngine } from './engine/pick';
import './style.css';

const engine = pickEngine(document.baseURI);
void import('./page').then(({ show }) => show(engine));

// Dropping a file beside its field must not navigate away from the page.
for (const name of ['dragover', 'drop'] as const) {
  addEventListener(name, (event) => (event as DragEvent).dataTransfer?.types.includes('Files') && event.preventDefault());
}

/// How long after loading the page is cached for offline visits. The delay lets the first answer go first.
const CACHE_DELAY_MS = 1500;

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const cachePage = (): void => void navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
  addEventListener('load', () => setTimeout(cachePage, CACHE_DELAY_MS));
}
