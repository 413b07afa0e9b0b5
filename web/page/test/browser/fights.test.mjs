// The views Battle and Gauntlet: the same figures as the native program, taps counted, by keyboard, offline.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { named, patience, settled, sizes } from './chrome.mjs';
import { end, native, setUp, xws } from './setup.mjs';
import { go, headline, percent, number } from './use.mjs';
import { packed, questions } from '../questions.mjs';

const site = setUp({ plain: { engine: false } });

/// Counts what a person taps.
async function counted(page) {
  await page.evaluate(() => {
    window.taps = 0;
    addEventListener('click', (event) => event.isTrusted && ++window.taps, true);
  });
  return () => page.evaluate(() => window.taps);
}

/// The timeout in milliseconds of waits for the surest answer: a busy machine plays its battles for minutes.
const toTheEnd = 5 * patience;

/// Waits until no surer answer is on its way, nor the battles with other policies and flights.
async function sure(page) {
  await settled(page);
  await page.waitForSelector('.howSure');
  await page.waitForFunction(() => !document.querySelector('.howSure progress'), undefined, { timeout: toTheEnd });
}

const duel = { mine: ['pilot=lukeskywalker instinctiveaim'], theirs: ['pilot=darthvader'], flight: 'range-2' };
const duelHash = '#v1/battle?m=lukeskywalker.instinctiveaim&t=darthvader&flight=range-2';

for (const size of Object.keys(sizes)) {
  describe(`fights, ${size}`, () => {
    it('who wins? two taps from the first screen to a number, which grows surer', async () => {
      const page = await site.start({ size });
      await named(page);
      const taps = await counted(page);
      await go(page, 'Battle');
      await page.getByRole('button', { name: /^Show an example/ }).click();
      await page.locator('.howSure').first().waitFor();
      const [text, sure] = await page.evaluate(() => ['.headline', '.howSure'].map((part) => document.querySelector(part).innerText));
      assert.match(text, /\d %\s± \d/);
      assert.equal(await taps(), 2);
      const trials = Number(/([\d,]+) battles/.exec(sure)[1].replaceAll(',', ''));
      const { win } = await native('battle', { mine: JSON.parse(xws('rebels')), theirs: JSON.parse(xws('empire')), engine: 'sample', trials });
      assert.ok(text.includes(percent(win)), text);
      assert.match(page.url(), /#v1\/battle\?z=\.[\w-]+&against=\.[\w-]+$/);
      // Another flight is one more tap, and a surer answer replaces the first one.
      await page.getByRole('radio', { name: /^Everything at range 2/ }).click();
      await page.waitForFunction(() => !document.querySelector('.details.stale') && /\d{3} battles/.test(document.querySelector('.howSure')?.textContent ?? ''));
      assert.equal(await taps(), 3);
      await page.context().close();
    });

    it('and in the end is the answer of the program', async () => {
      const page = await site.start({ size, hash: '#v1/battle?m=:t65xwing&m=:t65xwing&t=:tielnfighter&t=:tielnfighter&flight=range-2' });
      await page.waitForFunction(() => /200,000 battles played/.test(document.querySelector('.howSure')?.textContent ?? ''), undefined, { timeout: toTheEnd });
      const better = await native('battle', { mine: ['ship=t65xwing', 'ship=t65xwing'], theirs: ['ship=tielnfighter', 'ship=tielnfighter'], flight: 'range-2' });
      const after = await headline(page);
      assert.ok(after.includes(percent(better.win)) && after.includes(percent(better.loss)) && after.includes(`${number(better.my_points, 1)} : ${number(better.their_points, 1)}`), after);
      await page.context().close();
    });

    it('the figures of each ship, and what is assumed', async () => {
      const page = await site.start({ size, hash: duelHash });
      await named(page);
      await sure(page);
      const answer = await native('battle', duel);
      assert.equal(answer.engine, 'exact');
      assert.ok((await headline(page)).includes(percent(answer.win)));
      for (const [name, ship] of [['Luke Skywalker', answer.ships[0]], ['Darth Vader', answer.ships[1]]]) {
        const row = page.getByRole('table', { name: `What each ship of ${name} does` }).locator('tbody tr').first();
        const text = await row.innerText();
        for (const figure of [percent(ship.survives), number(ship.damage_done), number(ship.damage_taken), number(ship.points_earned)]) assert.ok(text.includes(figure), `${figure}: ${text}`);
        await page.getByText(`${name}: who is alive, as a table`).click();
        const alive = await page.getByRole('table', { name: `${name}: who is alive` }).locator('tbody td').allInnerTexts();
        assert.deepEqual(alive, ship.alive.map((chance) => (chance > 0 && chance < 0.0005 ? '<0.1 %' : chance < 1 && chance > 0.9995 ? '>99.9 %' : percent(chance))));
      }
      await page.getByText(`What a battle assumes and leaves out (${answer.assumptions.length})`).click();
      assert.deepEqual(await page.locator('.how li').allInnerTexts(), answer.assumptions);
      // Another policy: the table of what it changes has the answer to it.
      const other = await native('battle', { ...duel, my_policy: 'points', engine: 'sample', trials: 4000 });
      const row = page.getByRole('row', { name: /^I shoot: Points/ });
      assert.ok((await row.innerText()).includes(percent(other.win)));
      await row.getByRole('button').click();
      await page.waitForFunction(() => location.hash.includes('mp=points'));
      await end(page);
    });

    it('what upgrades are worth', async () => {
      const page = await site.start({ size, hash: duelHash });
      await named(page);
      await settled(page);
      await page.getByRole('button', { name: /^What is each upgrade of Luke Skywalker worth/ }).click();
      const table = page.getByRole('table', { name: /^What it adds to the chances of Luke Skywalker/ });
      await table.waitFor();
      await page.waitForFunction(() => !document.querySelector('.worth progress'));
      const answer = await native('battle', { ...duel, worth: true });
      assert.equal(answer.engine, 'exact');
      const gain = (value) => `${Math.abs(value) < 0.0005 ? '±' : value < 0 ? '−' : '+'}${(100 * Math.abs(value)).toFixed(1)} pp`;
      assert.deepEqual((await table.locator('tbody td').allInnerTexts()).map((text) => text.trim()), answer.worth.map((part) => gain(part.gain)));
      await end(page);
    });

    it('a ship by ship side is put together', async () => {
      const page = await site.start({ size, hash: '#v1/battle?t=darthvader&flight=range-2' });
      await named(page);
      const mine = page.getByRole('region', { name: 'My squad', exact: true });
      await mine.getByRole('button', { name: 'Or ship by ship' }).click();
      const field = mine.getByRole('combobox', { name: 'My squad, ship 1', exact: true });
      await field.fill('luke skywalker');
      await page.getByRole('option', { name: /^Luke Skywalker T-65/ }).first().click();
      await mine.getByRole('button', { name: 'Ship 1 once more' }).click();
      await page.waitForFunction(() => location.hash.includes('m=lukeskywalker&m=lukeskywalker'));
      await settled(page);
      const answer = await native('battle', { mine: ['pilot=lukeskywalker', 'pilot=lukeskywalker'], theirs: ['pilot=darthvader'], flight: 'range-2' });
      await page.waitForFunction((text) => document.querySelector('.headline').innerText.includes(text), percent(answer.win));
      assert.match(await headline(page), /Who wins, 2 × Luke Skywalker or Darth Vader\?/);
      await end(page);
    });

    it('which list? two taps to a recommendation; a cell opens its battle', async () => {
      const page = await site.start({ size });
      await named(page);
      const taps = await counted(page);
      await go(page, 'Gauntlet');
      await page.getByRole('button', { name: /^Show an example/ }).click();
      assert.match(await headline(page), /Bring .*\d %/s);
      assert.equal(await taps(), 2);
      await page.goto('about:blank');
      await page.goto(site.host.base + questions.gauntlet);
      await sure(page);
      const answer = await native('gauntlet', { squads: [JSON.parse(xws('rebels')), JSON.parse(xws('empire')), 'Luke Skywalker | Wedge Antilles'], flight: 'range-2' });
      const best = answer.squads.reduce((top, squad) => (squad.field > top.field ? squad : top));
      const text = await headline(page);
      assert.ok(text.includes(`Bring ${best.name}`) && text.includes(percent(best.field)), text);
      const order = answer.squads.map((_, i) => i).sort((a, b) => answer.squads[b].field - answer.squads[a].field);
      const cells = await page.locator('table.gauntlet tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td[data-win], td.self')].map((cell) => cell.textContent)));
      assert.deepEqual(cells, order.map((i) => order.map((j) => (i === j ? '–' : percent(answer.squads[i].win[j])))));
      const brought = answer.squads.filter(({ mix }) => mix >= 0.005);
      const mixed = brought.length === 1 ? [`bring ${brought[0].name} always`] : brought.map(({ name, mix }) => `${name} ${(100 * mix).toFixed(0)} %`);
      const details = await page.locator('.details').innerText();
      assert.ok(mixed.length > 0 && mixed.every((part) => details.includes(part)), `${mixed}: ${details}`);
      await page.getByRole('button', { name: /^Red flight against Black flight/ }).click();
      await page.waitForFunction(() => location.hash.startsWith('#v1/battle'));
      assert.ok(page.url().includes(`z=${packed('rebels')}&against=${packed('empire')}&flight=range-2&cards=`), page.url());
      await page.context().close();
    });
  });
}

describe('fights', () => {
  it('by keyboard alone: an example, another flight, another policy', async () => {
    const page = await site.start({ hash: '#v1/battle' });
    await named(page);
    await settled(page);
    const tabTo = async (what) => {
      for (let i = 0; i < 60; ++i) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((text) => (document.activeElement?.textContent ?? '').trim().startsWith(text), what)) return;
      }
      assert.fail(`${what} cannot be reached`);
    };
    await tabTo('Show an example');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('against='));
    await page.evaluate(() => document.activeElement?.blur());
    await tabTo('Joust');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('flight=range-2'));
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-checked')), 'true');
    await tabTo('How I shoot');
    await page.keyboard.press('Enter');
    await tabTo('Sound play');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('mp=greedy'));
    await settled(page);
    assert.match(await headline(page), /\d %/);
    await page.context().close();
  });

  it('fetch their code and the complete engine on demand, and work offline from then on', async () => {
    const page = await site.start({ at: 'plain', hash: questions.attackBare });
    const asked = [];
    page.context().on('request', (request) => asked.push(request.url()));
    await named(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => (await caches.keys()).length === 1);
    assert.ok(!asked.some((url) => /battle-further|salvo-further\S*wasm/.test(url)));
    const visit = async () => {
      await page.goto(site.plain.base + duelHash);
      await page.reload();
      await page.waitForFunction(() => /Solved exactly/.test(document.querySelector('.howSure')?.textContent ?? ''));
      return headline(page);
    };
    const shown = await visit();
    const answer = await native('battle', duel);
    assert.ok(shown.includes(percent(answer.win)) && shown.includes(percent(answer.loss)), shown);
    assert.ok(asked.some((url) => url.includes('battle-further')) && asked.some((url) => url.includes('salvo-further')));
    await page.waitForFunction(async () => {
      const held = (await (await caches.open((await caches.keys())[0])).keys()).map((request) => request.url);
      return ['battle-further', 'salvo-further'].every((name) => held.some((url) => url.includes(name)));
    });
    await page.context().setOffline(true);
    assert.equal(await visit(), shown);
    await page.context().close();
  });

  it('stop when one leaves: the battle is no longer played, and an attack is answered at once', async () => {
    const page = await site.start({ at: 'plain', hash: questions.battle.replace('&flight=range-2', '') });
    await named(page);
    await settled(page);
    await page.waitForFunction(() => document.querySelector('.howSure progress'));
    await go(page, 'Attack');
    assert.match(await headline(page), /mean damage/);
    // The worker that played is replaced: none of the old ones is left.
    await page.waitForFunction(() => document.querySelector('main.attackView'));
    for (const latest = Date.now() + patience; page.workers().length > 2 && Date.now() < latest; ) await page.waitForTimeout(50);
    assert.ok(page.workers().length <= 2);
    await page.context().close();
  });

  it('200 battles leave nothing behind in the page', async () => {
    const page = await site.start({ at: 'plain', hash: '#v1/battle?m=3~,agility=2,hull=3&t=2~,agility=2,hull=3&mp=greedy&tp=greedy&trials=20' });
    const client = await page.context().newCDPSession(page);
    const used = async () => {
      await client.send('HeapProfiler.collectGarbage');
      return (await client.send('Runtime.getHeapUsage')).usedSize / 1e6;
    };
    const sizes = [];
    for (let i = 0; i < 200; ++i) {
      await page.evaluate((hull) => {
        location.hash = `#v1/battle?m=3~,agility=2,hull=${hull}&t=2~,agility=2,hull=3&mp=greedy&tp=greedy&trials=20`;
      }, 2 + (i % 7));
      await headline(page);
      if (i === 49 || i === 199) sizes.push(await used());
    }
    assert.ok(sizes[1] < sizes[0] + 3, `${sizes[0]} MB after 50 battles, ${sizes[1]} MB after 200`);
    assert.ok(sizes[1] < 40, `${sizes[1]} MB`);
    await page.context().close();
  });

  it('what cannot be is said where the number would be', async () => {
    const page = await site.start({ hash: `${duelHash}&mp=nonsense` });
    await settled(page);
    assert.match(await headline(page), /My policy: "nonsense" is not known here; write one of greedy/);
    await page.goto(`${site.host.base}#v1/battle?z=.${Buffer.from('x').toString('base64url')}&t=darthvader`);
    await page.getByText('The squad in this link is damaged').waitFor();
    await page.context().close();
  });

  it('a text list is a side', async () => {
    const text = 'Luke Skywalker | Wedge Antilles';
    const page = await site.start({ hash: `#v1/battle?z=.${deflateRawSync(text).toString('base64url')}&t=darthvader&flight=range-2` });
    await settled(page);
    const answer = await native('battle', { mine: text, theirs: ['pilot=darthvader'], flight: 'range-2' });
    await page.waitForFunction((win) => document.querySelector('.headline').innerText.includes(win), percent(answer.win));
    await page.context().close();
  });

  it('a side of many ships has a short name', async () => {
    const page = await site.start({ hash: questions.battleLists });
    assert.match(await headline(page), /Who wins, Luke Skywalker and 2 more or Darth Vader and 2 more\?/);
    await page.context().close();
  });
});
