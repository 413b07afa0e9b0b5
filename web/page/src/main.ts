/// Where the page begins: small, so that the engine starts before the rest has been read.
import { pickEngine } from './engine/pick';
import './style.css';

const engine = pickEngine(document.baseURI);
void import('./page').then(({ show }) => show(engine));

/// How long after the page has loaded it is kept for visits without a network, in milliseconds: the first answer comes first.
const KEEP_AFTER = 1500;

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const keep = (): void => void navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
  addEventListener('load', () => setTimeout(keep, KEEP_AFTER));
}
