// Squads as players write them, in the fields of the views: the same reading, refusals and notes as the program's, in words for a page.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask } from '../bridge.mjs';
import { squads } from '../squads.mjs';
import { named, settled } from './chrome.mjs';
import { setUp } from './setup.mjs';

const site = setUp();
const field = (scope) => scope.getByLabel('List, link, XWS, or a ship in words').first();
/// What only the command line, files or requests have.
const programsWords = /--[a-z]|\b[a-z]+\[\d+\]|\b[a-z_]+ = |(?<![\w-])[a-z]+(?:-[a-z]+){3,}(?![\w-])/;

async function answerTo(verb, body) {
  const answer = JSON.parse(await ask(verb, body));
  return answer.error ? { error: answer.error } : { answer };
}
const bodyOf = (text) => {
  const trimmed = text.trim();
  return trimmed.startsWith('{') ? JSON.parse(trimmed) : trimmed;
};
/// Fills a field and waits until the page has answered.
async function fill(page, scope, text) {
  await field(scope).fill(text);
  await page.waitForFunction(() => !document.querySelector('.squadField[aria-busy="true"]'));
  await settled(page);
}
const plain = (text) => text.replace(/\s+/g, ' ').trim();

describe('squads as players write them', () => {
  it('Squad', async () => {
    const page = await site.start({ hash: '#v1/squad' });
    await named(page);
    for (const { what, text } of squads) {
      await page.goto('about:blank');
      await page.goto(`${site.host.base}#v1/squad`);
      await named(page);
      await fill(page, page, text);
      const { answer, error } = await answerTo('squad', { squad: bodyOf(text) });
      const shown = plain(await page.locator('main').innerText());
      if (error) {
        assert.equal(await page.locator('.headline .error').count(), 1, `${what}: ${shown}`);
        const said = plain(await page.locator('.headline .error').innerText());
        assert.ok(!programsWords.test(said), `${what}: ${said}`);
        continue;
      }
      const rows = await page.getByRole('table', { name: 'Each ship against typical ships' }).locator('tbody th').allInnerTexts();
      assert.deepEqual(rows.map((row) => plain(row)), answer.pilots.map((pilot) => plain(`${pilot.name} ${pilot.ship_name}`)), what);
      // As many remarks as the program has, in words.
      const hints = (await page.locator('.details p.hint').allInnerTexts()).map(plain);
      for (const note of answer.squad.notes) assert.ok(hints.some((hint) => hint.slice(-12) === plain(note).slice(-12) || hint.includes(plain(note).split(/["“]/)[1] ?? '\0') || hint.toLowerCase().startsWith(note.slice(0, 12).toLowerCase())), `${what}: ${note}: ${hints.join(' | ')}`);
      for (const { id } of answer.unknown) assert.ok(shown.includes(id), `${what}: ${id}`);
      for (const text of [...hints, ...(await page.locator('.details p.mark').allInnerTexts())]) assert.ok(!programsWords.test(text), `${what}: ${text}`);
    }
    await page.context().close();
  });

  it('Battle', async () => {
    const page = await site.start({ hash: '#v1/battle' });
    for (const { what, text } of squads.filter((_, i) => i % 3 === 0)) {
      await page.goto('about:blank');
      await page.goto(`${site.host.base}#v1/battle?t=darthvader&flight=range-2&trials=20&engine=sample`);
      await named(page);
      await fill(page, page.getByRole('region', { name: 'My squad', exact: true }), text);
      const { answer, error } = await answerTo('battle', { mine: bodyOf(text), theirs: ['pilot=darthvader'], flight: 'range-2', trials: 20, engine: 'sample', sensitivity: false });
      if (error) {
        const said = plain(await page.locator('.headline .error').innerText());
        assert.ok(!programsWords.test(said), `${what}: ${said}`);
        continue;
      }
      const head = plain(await page.locator('.headline').innerText());
      assert.ok(head.includes(`${(100 * answer.win).toFixed(1)} %`), `${what}: ${head}`);
      for (const hint of await page.locator('.details p.hint').allInnerTexts()) assert.ok(!programsWords.test(hint), `${what}: ${hint}`);
    }
    await page.context().close();
  });

  it('Gauntlet', async () => {
    const page = await site.start({ hash: '#v1/gauntlet' });
    await named(page);
    for (const { what, text } of squads.filter((_, i) => i % 4 === 1)) {
      await page.goto('about:blank');
      await page.goto(`${site.host.base}#v1/gauntlet?z=darth+vader&flight=range-2&trials=20&engine=sample`);
      await named(page);
      await settled(page);
      await fill(page, page.getByRole('region', { name: 'One more list' }), text);
      const add = page.getByRole('button', { name: 'Add this list' });
      if (await add.count()) await add.click();
      await settled(page);
      const { answer, error } = await answerTo('gauntlet', { squads: ['darth vader', bodyOf(text)], flight: 'range-2', trials: 20, engine: 'sample' });
      if (error) {
        const said = plain(await page.locator('.headline .error').innerText());
        assert.ok(!programsWords.test(said), `${what}: ${said}`);
        continue;
      }
      const best = answer.squads.reduce((top, squad) => (squad.field > top.field ? squad : top));
      assert.ok(plain(await page.locator('.headline').innerText()).includes(`${(100 * best.field).toFixed(1)} %`), what);
    }
    await page.context().close();
  });
});
