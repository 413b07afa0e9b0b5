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
/// What a refusal says to do instead.
const remedy = /\b(?:write|paste|export|leave out|did you mean|at most)\b/i;

async function answerTo(verb, body) {
  const answer = JSON.parse(await ask(verb, body));
  return answer.error ? { error: answer.error } : { answer };
}
const bodyOf = (text) => {
  try {
    return text.trim().startsWith('{') ? JSON.parse(text) : text.trim();
  } catch {
    return text.trim();
  }
};
/// Fills a field and waits until the page has answered.
async function fill(page, scope, text) {
  await field(scope).fill(text);
  await page.waitForFunction(() => !document.querySelector('.squadField[aria-busy="true"]'));
  await settled(page);
}
const plain = (text) => text.replace(/\s+/g, ' ').trim();

/// The headline refuses the squad, and says in a page's words what to do.
async function assertRefused(page, what) {
  const errors = (await page.locator('.headline .error').allInnerTexts()).map(plain);
  assert.equal(errors.length, 1, `${what}: ${errors.join(' | ')}`);
  assert.match(errors[0], remedy, what);
  assert.doesNotMatch(errors[0], programsWords, what);
}
/// A remark of the page says what a note of the program does: with the same quoted texts, or the same beginning.
function assertSays(remark, note, what) {
  const quoted = [...note.matchAll(/["“]([^"“”]+)["”]/g)].map(([, text]) => text);
  if (quoted.length === 0) assert.equal(remark.slice(0, 12).toLowerCase(), note.slice(0, 12).toLowerCase(), `${what}: ${note}: ${remark}`);
  for (const text of quoted) assert.ok(remark.includes(text), `${what}: ${note}: ${remark}`);
}

describe('squads as players write them', () => {
  it('Squad', async () => {
    const page = await site.start({ hash: '#v1/squad' });
    await named(page);
    for (const { what, text, wrong } of squads) {
      await page.goto('about:blank');
      await page.goto(`${site.host.base}#v1/squad`);
      await named(page);
      await fill(page, page, text);
      const { answer, error } = await answerTo('squad', { squad: bodyOf(text) });
      assert.equal(Boolean(error), Boolean(wrong), what);
      if (error) {
        await assertRefused(page, what);
        continue;
      }
      const rows = await page.getByRole('table', { name: 'Each ship against typical ships' }).locator('tbody th').allInnerTexts();
      assert.deepEqual(rows.map((row) => plain(row)), answer.pilots.map((pilot) => plain(`${pilot.name} ${pilot.ship_name}`)), what);
      // As many remarks as the program has notes, in the same order.
      const remarks = (await page.locator('.details p.squadNote').allInnerTexts()).map(plain);
      assert.equal(remarks.length, answer.squad.notes.length, `${what}: ${remarks.join(' | ')}`);
      answer.squad.notes.forEach((note, i) => assertSays(remarks[i], plain(note), what));
      const shown = plain(await page.locator('main').innerText());
      for (const { id } of answer.unknown) assert.ok(shown.includes(id), `${what}: ${id}`);
      for (const text of await page.locator('.details p.hint, .details p.mark').allInnerTexts()) assert.ok(!programsWords.test(text), `${what}: ${text}`);
    }
    await page.context().close();
  });

  it('Battle', async () => {
    const page = await site.start({ hash: '#v1/battle' });
    for (const { what, text, wrong } of squads.filter((_, i) => i % 3 === 0)) {
      await page.goto('about:blank');
      await page.goto(`${site.host.base}#v1/battle?t=darthvader&flight=range-2&trials=20&engine=sample`);
      await named(page);
      await fill(page, page.getByRole('region', { name: 'My squad', exact: true }), text);
      const { answer, error } = await answerTo('battle', { mine: bodyOf(text), theirs: ['pilot=darthvader'], flight: 'range-2', trials: 20, engine: 'sample', sensitivity: false });
      assert.equal(Boolean(error), Boolean(wrong), what);
      if (error) {
        await assertRefused(page, what);
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
    for (const { what, text, wrong } of squads.filter((_, i) => i % 4 === 1)) {
      await page.goto('about:blank');
      await page.goto(`${site.host.base}#v1/gauntlet?z=darth+vader&flight=range-2&trials=20&engine=sample`);
      await named(page);
      await settled(page);
      await fill(page, page.getByRole('region', { name: 'One more list' }), text);
      const add = page.getByRole('button', { name: 'Add this list' });
      if (await add.count()) await add.click();
      await settled(page);
      const { answer, error } = await answerTo('gauntlet', { squads: ['darth vader', bodyOf(text)], flight: 'range-2', trials: 20, engine: 'sample' });
      assert.equal(Boolean(error), Boolean(wrong), what);
      if (error) {
        await assertRefused(page, what);
        continue;
      }
      const best = answer.squads.reduce((top, squad) => (squad.field > top.field ? squad : top));
      assert.ok(plain(await page.locator('.headline').innerText()).includes(`${(100 * best.field).toFixed(1)} %`), what);
    }
    await page.context().close();
  });
});
