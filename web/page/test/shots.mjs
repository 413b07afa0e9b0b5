// Takes screenshots of all views in both themes and sizes: node test/shots.mjs FOLDER [NAME...]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open, settled } from './browser/chrome.mjs';
import { serve } from './bridge.mjs';
import { questions } from './questions.mjs';

const [folder = 'shots', ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { server, base } = await serve();
const browser = await launch();
for (const [name, hash] of Object.entries(questions)) {
  if (only.length > 0 && !only.includes(name)) continue;
  for (const size of ['phone', 'desktop']) {
    for (const theme of ['dark', 'light']) {
      const page = await open(browser, base, { size, theme, hash });
      await settled(page);
      await page.waitForTimeout(900);
      await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`), fullPage: true });
      if (page.errors.length > 0) console.log(name, size, theme, page.errors);
      await page.context().close();
    }
  }
}
await browser.close();
server.close();
