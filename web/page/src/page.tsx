import { render } from 'preact';
import { PrefetchingEngine } from './engine/prefetch';
import type { Engine } from './engine/engine';
import { OwnContext } from './parts/own';
import { Shell } from './shell';
import { prepareFor, readAddress } from './state/address';
import { cardIdsIn } from './state/cardIds';
import { OwnCards } from './state/own';
import { firstAddress } from './state/past';
import { requestOf } from './state/request';
import { storage } from './state/storage';

/// Prefetches the answer to the question of the address while the page is being drawn.
function prefetchFirstQuestion(engine: Engine, own: OwnCards): Engine {
  const { question } = readAddress(firstAddress(location.hash, storage()));
  if (question.view !== 'attack') return engine; // other views ask something else first
  const request = requestOf(question, own.textsFor(cardIdsIn(question)));
  return request ? new PrefetchingEngine(engine, request.verb, request.body) : engine;
}

const documentReady = new Promise<void>((done) => {
  if (document.readyState !== 'loading') done();
  else addEventListener('DOMContentLoaded', () => done(), { once: true });
});

/// Yields to pending events: the browser holds back the question until the worker reports that it has started.
const pendingEvents = (): Promise<void> => new Promise((done) => setTimeout(done));

/// Draws the page, which asks the engine its questions.
export async function show(engine: Engine): Promise<void> {
  const own = new OwnCards(storage());
  await prepareFor(location.hash).catch(() => undefined); // without it the page reports the link
  const asked = prefetchFirstQuestion(engine, own);
  await documentReady;
  await pendingEvents();
  const root = document.getElementById('page');
  if (!root) return;
  root.textContent = '';
  render(
    <OwnContext.Provider value={own}>
      <Shell engine={asked} />
    </OwnContext.Provider>,
    root,
  );
}
