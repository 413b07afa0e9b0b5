// The Attack view as a user operates it, on a phone and a desktop. Expected figures come from the native program.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execFileSync } from 'node:child_process';
import { salvo } from '../bridge.mjs';
import { named, settled, sizes } from './chrome.mjs';
import { end, native, setUp } from './setup.mjs';
import { percent, pick } from './use.mjs';

const site = setUp({ silent: { never: ['run'] } });

for (const size of Object.keys(sizes)) {
  describe(`attack, ${size}`, () => {
    it('answers the first question of a player', async () => {
      const page = await site.start({ size, hash: '#v1/attack' });
      await named(page);
      // Three dice, focus and lock, range 1.
      await pick(page, 'Attacker 1', '3', /^3 attack dice/);
      await page.getByRole('button', { name: 'lock', exact: true }).first().click();
      await page.getByRole('radiogroup', { name: 'range' }).first().getByRole('radio', { name: '1' }).click();
      // Then a second ship with two dice and a focus.
      await page.getByRole('button', { name: '+ attacker' }).click();
      await pick(page, 'Attacker 2', '2', /^2 attack dice/);
      const second = page.locator('.shots > li').nth(1);
      await second.getByRole('button', { name: 'focus: add one' }).click();
      // On a TIE interceptor with focus and evade.
      await pick(page, 'Defender', 'interceptor', /TIE\/in Interceptor/);
      await page.locator('.card.defense').getByRole('button', { name: 'focus: add one' }).click();
      await settled(page);
      const answer = await native('run', { attack: ['3 focus lock range=1', '2 focus'], defend: 'ship=tieininterceptor focus evade' });
      const headline = await page.locator('.headline').innerText();
      assert.ok(headline.includes(percent(answer.ships.d.destroyed)), headline);
      assert.ok(headline.includes(answer.ships.d.damage.mean.toFixed(2)), headline);
      assert.match(await page.evaluate(() => location.hash), /^#v1\/attack\?a=3~f1l1r1&a=2~f1&d=:tieininterceptor~f1e1$/);
      assert.match(await page.title(), /3 attack dice \+ 2 attack dice → TIE\/in Interceptor/);
      await end(page);
    });

    it('shows the answer first and leaves it in sight', async () => {
      const page = await site.start({ size, hash: '#v1/attack?a=3~f1&a=2~f1&a=2~f1&d=:tielnfighter~e1' });
      await settled(page);
      await page.evaluate(() => new Promise((done) => (scrollTo(0, 700), requestAnimationFrame(() => setTimeout(done)))));
      const box = await page.locator('.headline').boundingBox();
      assert.ok(box.y >= -1 && box.y < 200, `headline at ${box.y}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
      await page.context().close();
    });

    it('reverses an assumed fact with a tap', async () => {
      const page = await site.start({ size, hash: '#v1/attack?a=wedgeantilles.predator~f1&d=:tielnfighter~f1' });
      await settled(page);
      await page.locator('.assumptions .fact.assumed').click();
      await settled(page);
      const body = (bullseye) => ({
        ships: { a1: { pilot: 'wedgeantilles', upgrades: ['predator'], tokens: { focus: 1 } }, d: { ship: 'tielnfighter', tokens: { focus: 1 } } },
        attacks: [{ by: 'a1', on: 'd', ...(bullseye ? {} : { facts: ['not bullseye'] }) }],
      });
      const [yes, no] = [await native('run', body(true)), await native('run', body(false))];
      assert.notEqual(yes.value, no.value);
      assert.ok((await page.locator('.headline').innerText()).includes(no.ships.d.damage.mean.toFixed(2)));
      assert.match(await page.evaluate(() => location.hash), /!bullseye/);
      await page.locator('.assumptions .fact.stated').click();
      await settled(page);
      assert.ok((await page.locator('.headline').innerText()).includes(yes.ships.d.damage.mean.toFixed(2)));
      await page.context().close();
    });
  });
}

describe('attack', () => {
  it('adds what the damage deck would change once the answer is shown', async () => {
    const page = await site.start({ hash: '#v1/attack?a=lukeskywalker~f1r1&d=:tielnfighter~f1' });
    await settled(page);
    const { damage_deck: deck } = await native('run', {
      ships: { a1: { pilot: 'lukeskywalker', tokens: { focus: 1 } }, d: { ship: 'tielnfighter', tokens: { focus: 1 } } },
      attacks: [{ by: 'a1', on: 'd', range: 1 }],
      would_add: true,
    });
    await page.locator('.wouldAdd').waitFor();
    const line = await page.locator('.wouldAdd').innerText();
    assert.ok(line.includes(`+${deck.core_would_add.d.toFixed(2)}`), line);
    await end(page);
  });

  it('gives the bytes of the native program as JSON, and a command that does', async () => {
    for (const hash of [
      '#v1/attack?a=wedgeantilles.predator~f1l1r1&a=2~f1&d=:tielnfighter~f1e1',
      '#v1/attack?a=3~f1l1&a=2~f1&d=2~f1,hull=3&d=wedgeantilles~f1&o=kill',
      '#v1/attack?a=3~f1,strain=1&d=darthvader~f1&engine=sample&trials=10000&seed=7',
      "#v1/attack?a=wedgeantilles.predator~f1,!bullseye&d=:tielnfighter~f1",
    ]) {
      const page = await site.start({ hash });
      await settled(page);
      await page.getByRole('button', { name: 'JSON' }).click();
      await page.getByText('JSON copied').waitFor();
      const json = await page.evaluate(() => navigator.clipboard.readText());
      await page.getByRole('button', { name: 'Command' }).click();
      await page.getByText('Command copied').waitFor();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      const printed = execFileSync('bash', ['-c', `salvo() { ${salvo} "$@"; }; ${command}`], { encoding: 'utf8' });
      assert.equal(json, printed, command);
      await page.context().close();
    }
  });

  it('asks only for existing cards, however late their pages come', async () => {
    const page = await site.start({ hash: '#v1/survive', serviceWorkers: 'block' });
    await settled(page); // before that the page would overwrite the address
    const asked = [];
    let answer;
    const later = new Promise((done) => (answer = done));
    await page.route('**/v1/cards', async (route) => {
      asked.push(route.request().postDataJSON());
      await later;
      await route.continue();
    });
    await page.goto(`${site.host.base}#v1/attack?a=wedgeantilles.predator~f1&d=:tielnfighter~f1`);
    await page.reload();
    await settled(page);
    await page.locator('.assumptions').getByText(/bullseye/).waitFor();
    answer();
    await named(page);
    await settled(page);
    assert.ok(asked.some((body) => body.show === 'predator'), JSON.stringify(asked));
    for (const body of asked) assert.ok((await native('cards', body)).cards, JSON.stringify(body));
    await end(page);
  });

  it('copies a text for a forum, and a picture', async () => {
    const page = await site.start({ hash: '#v1/attack?a=3~f1&d=:tielnfighter~f1' });
    await settled(page);
    await named(page);
    await page.getByRole('button', { name: 'Text' }).click();
    await page.getByText('Text copied').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /^3 attack dice → TIE\/ln Fighter\nTIE\/ln Fighter: \d+\.\d % destroyed, mean damage \d\.\d\d\n.*1\+ /);
    assert.ok(text.includes('#v1/attack?a=3~f1&d=:tielnfighter~f1'));
    await page.getByRole('button', { name: 'Picture' }).click();
    await page.getByText('Picture copied').waitFor();
    // In the picture, too, the text over the curve must have the ink colour, not that of its outline.
    const brightest = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const bitmap = await createImageBitmap(await item.getType('image/png'));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0);
      const label = document.querySelector('.chart .leastValue');
      const legend = 18 * label.closest('figure').querySelectorAll('.key').length;
      const [x, y] = [20 + Number(label.getAttribute('x')), bitmap.height / 2 - 210 - legend + Number(label.getAttribute('y'))];
      return Math.max(...context.getImageData(2 * (x - 16), 2 * (y - 8), 64, 16).data.filter((_, i) => i % 4 === 0));
    });
    assert.ok(brightest > 200, `${brightest}`);
    await page.context().close();
  });

  it('can be used with the keyboard alone', async () => {
    const page = await site.start({ hash: '#v1/attack?a=3~f1&a=2&d=2' });
    await settled(page);
    await named(page);
    const name = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText);
    const tabTo = async (wanted) => {
      for (let i = 0; i < 80; ++i) {
        await page.keyboard.press('Tab');
        if (wanted.test(await name())) return;
      }
      assert.fail(`no ${wanted} within 80 tabs`);
    };
    await tabTo(/^Attack 1 of 2: drag, or arrow keys/);
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => location.hash === '#v1/attack?a=2&a=3~f1&d=2');
    await tabTo(/^Attacker 2/);
    await page.keyboard.type('wedge ant');
    await page.getByRole('option', { name: /^Wedge Antilles/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.startsWith('#v1/attack?a=2&a=wedgeantilles~f1&d=2'));
    await tabTo(/^lock$/);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => location.hash === '#v1/attack?a=2&a=wedgeantilles~f1l1&d=2');
    await tabTo(/^2$/);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash === '#v1/attack?a=2&a=wedgeantilles~f1l1r3&d=2');
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => location.hash === '#v1/attack?a=2&a=wedgeantilles~f1l1&d=2');
    await page.keyboard.press('Control+y');
    await page.waitForFunction(() => location.hash === '#v1/attack?a=2&a=wedgeantilles~f1l1r3&d=2');
    await tabTo(/^add upgrade/);
    await page.keyboard.type('predat');
    await page.getByRole('option', { name: /^Predator/ }).first().waitFor();
    await page.keyboard.press('Tab');
    await page.waitForFunction(() => location.hash === '#v1/attack?a=2&a=wedgeantilles.predator~f1l1r3&d=2');
    await page.context().close();
  });

  it('changes the order by dragging', async () => {
    const page = await site.start({ hash: '#v1/attack?a=1&a=2&a=3&d=2' });
    await settled(page);
    const grips = page.locator('.grip');
    const from = await grips.nth(2).boundingBox();
    const to = await page.locator('.shots > li').nth(0).boundingBox();
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 40, { steps: 12 });
    await page.mouse.move(to.x + 20, to.y + 4, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction(() => location.hash === '#v1/attack?a=3&a=1&a=2&d=2');
    await page.context().close();
  });

  it('shows an error, and the answer once the question is valid again', async () => {
    const page = await site.start({ hash: '#v1/attack?a=wedgeantilles.protontorpedoes~f1,weapon=protontorpedoes&d=2' });
    await settled(page);
    assert.match(await page.locator('.error').innerText(), /^That cannot be: .*lock/s);
    await page.getByRole('button', { name: 'lock', exact: true }).click();
    await settled(page);
    assert.equal(await page.locator('.error').count(), 0);
    assert.match(await page.locator('.headline').innerText(), /%/);
    // The next error replaces the answer and uses the names of the ships.
    await page.getByRole('button', { name: 'lock', exact: true }).click();
    await settled(page);
    const text = await page.locator('.headline').innerText();
    assert.match(text, /That cannot be: .*2 defense dice.*Wedge Antilles/s);
    assert.doesNotMatch(text, /%/);
    assert.equal(await page.locator('.share').count(), 0);
    await page.context().close();
  });

  it('shows progress, and stops', async () => {
    const page = await site.start({ at: 'silent', hash: '#v1/attack?a=3&d=2' });
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    assert.match(await page.locator('.headline').innerText(), /No answer/);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    assert.equal(await page.locator('.working').evaluate((working) => getComputedStyle(working.closest('.details')).opacity), '1');
    await page.context().close();
  });

  it('drops answers to older questions', async () => {
    const page = await site.start({ hash: '#v1/attack?a=1&d=2' });
    await settled(page);
    // The first of two questions is answered last.
    let [n, answerFirst] = [0];
    const second = new Promise((done) => (answerFirst = done));
    const first = new Promise((done) => {
      void page.route('**/v1/run', async (route) => {
        const mine = ++n;
        const response = await route.fetch();
        if (mine === 1) await second;
        await route.fulfill({ response }).catch(() => undefined);
        if (mine === 1) done();
      });
    });
    const plus = page.getByRole('button', { name: 'attack dice: one more' });
    const asked = page.waitForRequest('**/v1/run');
    await plus.click();
    await asked;
    await plus.click();
    await settled(page);
    answerFirst();
    await first;
    await settled(page);
    const answer = await native('run', { attack: ['3'], defend: '2' });
    assert.ok((await page.locator('.headline').innerText()).includes(answer.ships.d.damage.mean.toFixed(2)));
    await page.unrouteAll({ behavior: 'ignoreErrors' }); // the page may ask again meanwhile
    await page.context().close();
  });
});
