// Measures a first visit on a slow connection with a slow processor: node test/slow.mjs [VISITS [ADDRESS]]
// Slow 4G is 1.6 Mbit/s with 150 ms per request, which page and workers share; the page's own thread runs four times slower. The built
// page is served compressed, as scripts/web does. Prints when the form can be used and when the first answer is shown, in milliseconds
// since the navigation started, and the bytes until then. Fails if the middle of the visits is above what docs/page.md promises.
import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import { launch, open } from './browser/chrome.mjs';
import { slowLink } from './slowLink.mjs';

const SLOW_4G = { latency: 150, rate: 1_600_000 / 8 };
const SLOWER = 4;
const MOST_MS = { form: 1200, answer: 4500 };
const visits = Number(process.argv[2] ?? 5);
const hash = process.argv[3] ?? '#v1/attack?a=3~f1l1&d=3~e1,hull=3,shields=1';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = await preview({ root, configFile: `${root}vite.config.ts`, preview: { host: '127.0.0.1', port: 0 }, logLevel: 'warn' });
const link = await slowLink(Number(new URL(server.resolvedUrls.local[0]).port), SLOW_4G);
const browser = await launch();

/// Records when a field can be filled in and when the answer is shown.
function watch() {
  window.at = {};
  const look = () => {
    const note = (name, there) => there && (window.at[name] ??= performance.now());
    note('form', document.querySelector('main input:not([disabled]), main button:not([disabled])'));
    note('answer', /\d %/.test(document.querySelector('.headline')?.textContent ?? ''));
  };
  new MutationObserver(() => requestAnimationFrame(look)).observe(document, { subtree: true, childList: true, characterData: true });
}

const found = { form: [], answer: [], bytes: [] };
for (let visit = 0; visit < visits; ++visit) {
  const page = await open(browser, 'about:blank', { size: 'phone', hash: '' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const before = link.carried();
  await page.addInitScript(watch);
  await page.goto(`http://127.0.0.1:${link.port}/${hash}`);
  await page.waitForFunction(() => window.at.answer !== undefined);
  const at = await page.evaluate(() => window.at);
  found.form.push(at.form);
  found.answer.push(at.answer);
  found.bytes.push(link.carried() - before);
  await page.context().close();
}
await browser.close();
link.close();
await server.close();

const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
for (const [name, values] of Object.entries(found))
  console.log(`${name.padEnd(8)}${String(Math.round(Math.min(...values))).padStart(8)} least${String(Math.round(middle(values))).padStart(8)} middle${MOST_MS[name] ? `${String(MOST_MS[name]).padStart(8)} at most` : ''}`);
const late = Object.keys(MOST_MS).filter((name) => middle(found[name]) > MOST_MS[name]);
if (late.length > 0) console.error(`later than promised: ${late.join(', ')}`);
process.exit(late.length > 0 ? 1 : 0);
