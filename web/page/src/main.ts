/// Where the page begins: small, so that the engine starts before the rest has been read.
import { pickEngine } from './engine/pick';
import './style.css';

const engine = pickEngine(document.baseURI);
void import('./page').then(({ show }) => show(engine));

// A file that misses its field does not take the page's place.
for (const name of ['dragover', 'drop'] as const) {
  addEventListener(name, (event) => (event as DragEvent).dataTransfer?.types.includes('Files') && event.preventDefault());
}

/// How long after the page has loaded it is kept for visits without a network, in milliseconds: the first answer comes first.
const KEEP_AFTER = 1500;

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const keep = (): void => void navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
  addEventListener('load', () => setTimeout(keep, KEEP_AFTER));
}
