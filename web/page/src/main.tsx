import { render } from 'preact';
import { pickEngine } from './engine/pick';
import { Shell } from './shell';
import './style.css';

const root = document.getElementById('page');
if (root) {
  root.textContent = '';
  render(<Shell engine={pickEngine(document.baseURI)} />, root);
}

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
  });
}
