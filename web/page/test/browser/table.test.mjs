// What lies on the table, and names: both mean the same on the page as in the program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { salvo } from '../bridge.mjs';
import { named, settled, sizes } from './chrome.mjs';
import { questions } from '../questions.mjs';
import { end, native, setUp, xws } from './setup.mjs';
import { headline, number, percent, pick, shot, target } from './use.mjs';

const site = setUp();
const more = (card) => card.locator('details.more > summary').click();
const likely = (card, name, value) => card.getByRole('spinbutton', { name: `${name}, likely in percent` }).fill(String(value));

/// The copied JSON, which must be what the copied command prints.
async function copiedAnswer(page) {
  const copy = async (name) => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByText(`${name} copied`).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const json = await copy('JSON');
  const command = await copy('Command');
  assert.equal(json, execFileSync('bash', ['-c', `salvo() { ${salvo} "$@"; }; ${command}`], { encoding: 'utf8' }), command);
  return JSON.parse(json);
}

describe('names', () => {
  it('mean the ship for which the program takes them, even if Enter follows at once', async () => {
    const page = await site.start({ hash: '#v1/attack' });
    await named(page);
    const field = page.getByRole('combobox', { name: 'Attacker 1' });
    for (const [text, subject] of [
      ['tie interceptor', ':tieininterceptor'], ['y-wing', ':btla4ywing'], ['tie fighter', ':tielnfighter'], ['falcon', ':modifiedyt1300lightfreighter'],
      ['luke', 'lukeskywalker'], ['4-LOM', '4lom'], ['squint', ':tieininterceptor'], ['3', '3'],
    ]) {
      await field.click();
      await field.fill(text);
      await field.press('Enter');
      await page.waitForFunction((wanted) => location.hash.includes(`?a=${wanted}~`) || location.hash.includes(`?a=${wanted}&`), subject);
    }
    await field.click();
    await field.fill('a-wing');
    await field.press('Tab');
    await page.waitForFunction(() => location.hash.includes('?a=:rz1awing'));
    // Upgrades have nicknames, too; the arrow keys choose another one than the first.
    const upgrade = page.getByRole('combobox', { name: 'add upgrade' }).first();
    await upgrade.fill('FCS');
    await upgrade.press('Enter');
    await page.waitForFunction(() => location.hash.includes('rz1awing.firecontrolsystem'));
    await field.click();
    await field.fill('a-wing');
    await page.getByRole('option').nth(1).waitFor();
    await field.press('ArrowDown');
    await field.press('Enter');
    await page.waitForFunction(() => !location.hash.includes('?a=:rz1awing'));
    await field.click();
    await field.fill('no such ship');
    await page.getByText('Nothing is called “no such ship”.').waitFor();
    await end(page);
  });
});

for (const size of Object.keys(sizes)) {
  describe(`the table, ${size}`, () => {
    it('takes chances, faces in place of dice and damage cards', async () => {
      const page = await site.start({ size, hash: '#v1/attack?a=3~f1l1&d=2~f1,hull=4' });
      await named(page);
      const attacker = shot(page, 1);
      await more(attacker);
      await likely(attacker, 'focus', 50);
      await likely(attacker, 'lock', 25);
      await likely(attacker, 'obstructed', 25);
      for (const [range, part] of [[1, 20], [2, 50]]) await likely(attacker, `range ${range}`, part);
      await attacker.getByText('The ranges add up to 70 %.').waitFor();
      await likely(attacker, 'range 3', 30);
      const defender = target(page);
      await more(defender);
      await defender.getByRole('button', { name: 'facedown: one more' }).click();
      await pick(defender, 'add a faceup card', 'struct', /Structural damage/);
      const body = {
        ships: {
          a1: { attack: 3, tokens: { focus: 0.5, lock: { d: 0.25 } } },
          d: { agility: 2, hull: 4, tokens: { focus: 1 }, faceup: ['structural-damage'], facedown: 1 },
        },
        attacks: [{ by: 'a1', on: 'd', range: { 1: 0.2, 2: 0.5, 3: 0.3 }, obstructed: 0.25 }],
      };
      let answer = await native('run', body);
      let text = await headline(page);
      assert.ok(text.includes(percent(answer.ships.d.destroyed)) && text.includes(number(answer.ships.d.damage.mean)), text);
      assert.equal((await copiedAnswer(page)).ships.d.destroyed, answer.ships.d.destroyed);
      // The address has all of it, and undo takes the last step back.
      const address = await page.evaluate(() => location.hash);
      const other = await site.start({ size, hash: address });
      assert.equal(await headline(other), text);
      await end(other);
      await page.getByRole('button', { name: 'Undo' }).click();
      await settled(page);
      assert.ok(!(await page.evaluate(() => location.hash)).includes('faceup'));
      // A tap on a chance makes it certain.
      await attacker.getByRole('button', { name: /^obstructed/ }).click();
      await attacker.getByRole('radiogroup', { name: /^range/ }).getByRole('radio', { name: '1', exact: true }).click();
      answer = await native('run', { ...body, ships: { ...body.ships, d: { ...body.ships.d, faceup: [] } }, attacks: [{ by: 'a1', on: 'd', range: 1 }] });
      text = await headline(page);
      assert.ok(text.includes(percent(answer.ships.d.destroyed)), text);
      await end(page);
    });

    it('takes a roll and results', async () => {
      const page = await site.start({ size, hash: '#v1/attack?a=3~f1&d=2~f1' });
      await named(page);
      const attacker = shot(page, 1);
      await more(attacker);
      const dice = attacker.getByRole('group', { name: 'Attack dice', exact: true });
      await dice.getByRole('radio', { name: 'this roll' }).click();
      for (const face of ['hit', 'focus', 'blank']) await dice.getByRole('button', { name: `add a ${face}` }).click();
      const defense = attacker.getByRole('group', { name: 'Defense dice', exact: true });
      await defense.getByRole('radio', { name: 'these results' }).click();
      await defense.getByRole('button', { name: 'add a evade' }).click();
      const answer = await native('run', {
        ships: { a1: { attack: 3, tokens: { focus: 1 } }, d: { agility: 2, tokens: { focus: 1 } } },
        attacks: [{ by: 'a1', on: 'd', rolled: 'hit focus blank', defense_results: 'evade' }],
      });
      const text = await headline(page);
      assert.ok(text.includes(number(answer.ships.d.damage.mean)), text);
      assert.deepEqual((await copiedAnswer(page)).ships.d.damage, answer.ships.d.damage);
      await dice.getByRole('radio', { name: 'rolled at random' }).click();
      await settled(page);
      assert.ok(!(await page.evaluate(() => location.hash)).includes('rolled'));
      await page.context().close();
    });

    it('goes into Compare and Survive', async () => {
      const page = await site.start({ size, hash: '#v1/compare?i=3~f1&i=3~l1&d=2~f1,hull=4' });
      await named(page);
      const loadout = page.locator('.loadout0');
      await more(loadout);
      await likely(loadout, 'focus', 50);
      const shotAt = page.getByRole('region', { name: 'Target 1' });
      await more(shotAt);
      await shotAt.getByRole('button', { name: 'facedown: one more' }).click();
      await settled(page);
      const answer = await native('compare', { items: ['3 focus=50%', '3 lock'], defend: ['2 hull=4 focus facedown=1'] });
      assert.ok((await headline(page)).includes(number(answer.loadouts[0].average)));
      assert.ok(await page.getByText('focus 50 %').first().isVisible());
      assert.deepEqual((await copiedAnswer(page)).loadouts.map((row) => row.average), answer.loadouts.map((row) => row.average));
      await page.context().close();

      const survive = await site.start({ size, hash: '#v1/survive?a=3~f1,p:focus=50&d=:t65xwing~f1,facedown=1' });
      const lived = await native('durability', { attack: ['3 focus=50%'], defend: ['ship=t65xwing focus facedown=1'] });
      assert.ok((await headline(survive)).includes(number(lived.mean_shots ?? lived.shots?.mean ?? lived.mean)), JSON.stringify(lived).slice(0, 300));
      await copiedAnswer(survive);
      await end(survive);
    });
  });
}

describe('plain words', () => {
  it('say what the listed cards do', async () => {
    const page = await site.start({ hash: '#v1/cards?q=calculate' });
    await settled(page);
    const lines = page.locator('.cardList .summary');
    await page.waitForFunction(() => [...document.querySelectorAll('.cardList .summary')].every((line) => line.textContent !== '…'));
    const texts = await lines.allInnerTexts();
    assert.ok(texts.length > 20);
    for (const text of texts) assert.doesNotMatch(text, /(^|; )[a-z]+(-[a-z]+)+: /);
    assert.match(texts.join(' '), /you may gain 1 calculate/);
    await end(page);
  });
});

describe('an empty view', () => {
  it('shows an example one tap away', async () => {
    for (const [view, wanted] of [['squad', /^#v1\/squad\?z=/], ['compare', /^#v1\/compare\?i=/]]) {
      const page = await site.start({ size: 'phone', hash: `#v1/${view}` });
      await settled(page);
      await page.getByRole('button', { name: 'Show an example' }).click();
      await page.waitForFunction((form) => new RegExp(form).test(location.hash), wanted.source);
      await settled(page);
      assert.match(await page.locator('.details').innerText(), /\d\.\d\d/);
      assert.equal(await page.getByRole('button', { name: 'Show an example' }).count(), 0);
      // What matters fits the phone: only matrices scroll.
      for (const table of await page.locator('.scroll table.stacked').all()) {
        const { left, width } = await table.evaluate((element) => ({ left: element.scrollWidth - element.parentElement.clientWidth, width: innerWidth }));
        assert.ok(left <= 0 && width === 390);
      }
      await end(page);
    }
  });
  it('takes a printed list', async () => {
    const page = await site.start({ hash: '#v1/squad' });
    await settled(page);
    const list = 'Rey [Finn, Rey\'s Millennium Falcon] (9)\nPoe Dameron - T-70 X-wing + Predator (7)\n\nTotal: 16/20';
    await page.locator('textarea').first().fill(list);
    await page.getByText('2 ships').waitFor();
    const answer = await native('squad', { squad: list });
    const text = await page.locator('.details').innerText();
    for (const pilot of answer.pilots) assert.ok(text.includes(pilot.name) && text.includes(number(pilot.summary.damage)), pilot.name);
    await end(page);
  });
});

describe('a squad', () => {
  it('shows an upgrade where it acts, and says why targets come out the same', async () => {
    const page = await site.start({ hash: questions.squad });
    await named(page);
    await settled(page);
    const answer = await native('squad', { squad: JSON.parse(xws('rebels')), against: JSON.parse(xws('empire')) });
    const predator = answer.pilots[0].worth.find((worth) => worth.id === 'predator');
    assert.equal(predator.damage, 0);
    const most = predator.attacks.reduce((best, attack) => ((attack.damage ?? 0) > best.damage ? attack : best), { damage: 0 });
    const row = page.getByRole('region', { name: 'What upgrades are worth' }).getByRole('row').filter({ hasText: 'Predator' });
    const text = await row.innerText();
    assert.ok(text.includes(`+${number(most.damage)}`) && text.includes('primary weapon, focus'), text);
    await page.getByText('Darth Vader, Soontir Fel, “Mauler” Mithel and Academy Pilot come out the same: each has agility 3').waitFor();
    await page.getByText('Wedge Antilles and Red Squadron Veteran come out the same: each has agility 2').waitFor();
    // How long they last differs with their hull.
    await page.getByRole('radio', { name: 'shots to destroy' }).first().click();
    assert.equal(await page.getByText('Darth Vader, Soontir Fel, “Mauler” Mithel and Academy Pilot come out the same').count(), 0);
    await end(page);
  });
});
