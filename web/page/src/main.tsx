import { render } from 'preact';
import { pickEngine } from './engine/pick';
import { Shell } from './shell';
import './style.css';

// First of all: its worker starts while the page is drawn.
const engine = pickEngine(document.baseURI);
const root = document.getElementById('page');
if (root) {
  root.textContent = '';
  render(<Shell engine={engine} />, root);
}

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
  });
}
