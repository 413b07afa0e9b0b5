/// Where the page begins: small, so that the engine starts before the rest has been read.
import { pickEngine } from './engine/pick';
import './style.css';

const engine = pickEngine(document.baseURI);
void import('./page').then(({ show }) => show(engine));

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
  });
}
