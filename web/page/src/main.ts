/// The entry of the page.
import { pickEngine } from './engine/pick';
import { show } from './page';
import './style.css';

void show(pickEngine(document.baseURI));

// Dropping a file beside its field must not navigate away from the page.
for (const name of ['dragover', 'drop'] as const) {
  addEventListener(name, (event) => (event as DragEvent).dataTransfer?.types.includes('Files') && event.preventDefault());
}
