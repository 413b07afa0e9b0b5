// Ten questions of players, each answered by operating the page from its first screen on. Expected figures come from the native
// program.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { named, settled, sizes } from './chrome.mjs';
import { end, native, setUp, xws } from './setup.mjs';
import { give, go, headline, lock, number, percent, pick, shot, target } from './use.mjs';

const site = setUp();

const start = async (size) => {
  const page = await site.start({ size });
  await named(page);
  return page;
};

// Question 1 is in attack.test.mjs.
for (const size of Object.keys(sizes)) {
  describe(`ten questions, ${size}`, () => {
    it('2: hit, focus, blank, and two ships will shoot at me: spend the focus or keep it?', async () => {
      const page = await start(size);
      await go(page, 'Should I?');
      await pick(page, 'Attacker 1', '3', /^3 attack dice/);
      await pick(page, 'Defender', '2', /^2 defense dice/);
      await page.getByRole('button', { name: '+ they shoot back' }).click();
      await page.getByRole('button', { name: '+ they shoot back' }).click();
      for (const face of ['hit', 'focus', 'blank']) await page.getByRole('button', { name: `add a ${face}` }).first().click();
      const text = await headline(page);
      const answer = await native('advise', {
        ships: {
          a1: { attack: 3, agility: 2, tokens: { focus: 1 } },
          d1: { agility: 2, tokens: { evade: 1 } },
          d2: { attack: 3, tokens: { focus: 1 } },
          d3: { attack: 3, tokens: { focus: 1 } },
        },
        attacks: [{ by: 'a1', on: 'd1' }, { by: 'd2', on: 'a1' }, { by: 'd3', on: 'a1' }],
        point: { attack: 1, rolled: 'hit focus blank' },
      });
      // The token saves more damage against two later attacks than it gains now.
      assert.equal(answer.best, 'spend nothing');
      assert.ok(text.includes(`Spend nothing: −${number(-answer.options[0].value)} damage instead of −${number(-answer.options[1].value)}`), text);
      assert.match(text, /Dealt less suffered: this attack .* what comes after/s);
      await end(page);
    });

    it('3: Luke or Wedge, whom do I shoot first?', async () => {
      const page = await start(size);
      await go(page, 'Should I?');
      await pick(page, 'Defender', 'luke sky', /Luke Skywalker T-65 X-wing · initiative 5/);
      await page.getByRole('button', { name: '+ another target' }).click();
      const second = page.locator('section.card.defense').nth(1);
      await pick(second, 'Defender', 'wedge ant', /Wedge Antilles T-65 X-wing/);
      const text = await headline(page);
      const answer = await native('advise', {
        ships: {
          a1: { ship: 't65xwing', tokens: { focus: 1 } },
          d1: { pilot: 'lukeskywalker', tokens: { evade: 1 } },
          d2: { pilot: 'wedgeantilles' },
        },
        attacks: [{ by: 'a1', on: ['d1', 'd2'] }],
        point: { attack: 1 },
      });
      const best = answer.best === 'shoot at d1' ? 'Luke Skywalker' : 'Wedge Antilles';
      assert.ok(text.includes(`Shoot at ${best}: ${number(answer.options[0].value)} damage`), text);
      await end(page);
    });

    it('4: Predator or Marksmanship on this ship?', async () => {
      const page = await start(size);
      await go(page, 'Compare');
      await pick(page.locator('.loadout0'), 'add upgrade', 'predator', /^Predator talent/);
      await page.getByRole('button', { name: 'Copy loadout 1' }).click();
      await page.locator('.loadout1').getByRole('button', { name: 'Remove Predator' }).click();
      await pick(page.locator('.loadout1'), 'add upgrade', 'marksm', /^Marksmanship/);
      const text = await headline(page);
      const answer = await native('compare', {
        items: ['ship=t65xwing predator focus', 'ship=t65xwing marksmanship focus'],
        defend: ['ship=tielnfighter evade'],
      });
      assert.match(text, /Predator: /);
      assert.equal(answer.loadouts[0].label, 'predator');
      assert.ok(text.includes(number(answer.loadouts[0].average)) && text.includes(number(answer.loadouts[1].behind)), text);
      await end(page);
    });

    it('5: how many rounds does Vader live against three TIE fighters?', async () => {
      const page = await start(size);
      await go(page, 'Survive');
      await pick(page, 'Defender', 'darth vader', /^Darth Vader TIE Advanced x1/);
      await target(page).getByRole('button', { name: 'one evade less' }).click();
      await pick(page, 'Attacker 1', 'tie/ln', /^TIE\/ln Fighter/);
      await page.getByRole('button', { name: /^Another TIE/ }).click();
      await page.getByRole('button', { name: /^Another TIE/ }).first().click();
      const text = await headline(page);
      const answer = await native('durability', { attack: ['ship=tielnfighter focus x3'], defend: 'pilot=darthvader' });
      assert.ok(text.includes(`Darth Vader lives ${number(answer.rounds.mean)} rounds on average`), text);
      assert.ok(text.includes(`by round ${answer.rounds.quantiles['0.5']} in half of all games`), text);
      await end(page);
    });

    it('6: four ships can shoot at me this round, what are my chances?', async () => {
      const page = await start(size);
      for (let i = 0; i < 3; ++i) await page.getByRole('button', { name: /^Another T-65/ }).first().click();
      await pick(page, 'Defender', 'soontir', /^Soontir Fel/);
      await give(target(page), 'focus');
      const text = await headline(page);
      const answer = await native('run', { attack: ['ship=t65xwing focus x4'], defend: 'pilot=soontirfel focus evade' });
      assert.ok(text.includes(percent(answer.ships.d.destroyed)) && text.includes('destroyed'), text);
      await end(page);
    });

    it('7: two hits against three dice with focus and evade, both went through: how unlucky?', async () => {
      const page = await start(size);
      await go(page, 'Should I?');
      await pick(page, 'Attacker 1', '2', /^2 attack dice/);
      await shot(page, 1).getByRole('button', { name: 'one focus less' }).click();
      await pick(page, 'Defender', '3', /^3 defense dice/);
      await give(target(page), 'focus');
      await page.getByRole('button', { name: 'add a hit' }).click();
      await page.getByRole('button', { name: 'add a hit' }).click();
      await settled(page);
      const through = page.getByRole('table', { name: 'Damage that gets through' });
      const rows = await through.locator('tbody tr').allInnerTexts();
      // One hit gets through only if all three dice are blank, (3/8)^3. The evade token then stops the other.
      assert.deepEqual(rows.map((row) => row.split(/\s*\t\s*/)), [['0', '94.7 %', '100.0 %'], ['1', '5.3 %', '5.3 %'], ['2', '0.0 %', '0.0 %']]);
      await end(page);
    });

    it('8: proton torpedoes once, or the primary weapon twice?', async () => {
      const page = await start(size);
      await go(page, 'Compare');
      const [one, two] = [page.locator('.loadout0'), page.locator('.loadout1')];
      await pick(one, 'add upgrade', 'proton torp', /^Proton Torpedoes/);
      await lock(one);
      await page.getByRole('button', { name: 'Copy loadout 1' }).click();
      await one.getByLabel('shoots with').selectOption('protontorpedoes');
      await two.getByLabel('shoots with').selectOption('primary');
      await two.getByRole('button', { name: 'attacks: one more' }).click();
      const text = await headline(page);
      const ships = (weapon, times) => ({
        ships: { a1: { ship: 't65xwing', upgrades: ['protontorpedoes'], tokens: { focus: 1, lock: ['d'] } }, d: { ship: 'tielnfighter', tokens: { evade: 1 } } },
        attacks: Array.from({ length: times }, () => ({ by: 'a1', on: 'd', weapon })),
      });
      const means = await Promise.all([native('run', ships('protontorpedoes', 1)), native('run', ships('primary', 2))]);
      const [torpedoes, primary] = means.map((answer) => answer.ships.d.damage.mean);
      const best = Math.max(torpedoes, primary);
      assert.ok(text.includes(number(best)), text);
      assert.match(text, torpedoes > primary ? /Proton Torpedoes: / : /Twice: |twice: /);
      assert.ok(text.includes(`+${number(Math.abs(torpedoes - primary))}`), text);
      await end(page);
    });

    it('9: which ship of my squad should take the shot at that target, and with what?', async () => {
      const page = await start(size);
      await go(page, 'Squad');
      await page.getByLabel('List, link, XWS, or a ship in words').fill(xws('rebels'));
      await settled(page);
      await page.getByRole('button', { name: 'Which of them should take the shot?' }).click();
      await pick(page, 'Target 1', 'vader', /^Darth Vader TIE Advanced x1/);
      const text = await headline(page);
      const answer = await native('compare', { items: [JSON.parse(xws('rebels'))], defend: ['pilot=darthvader focus'], by: 'mean' });
      assert.ok(text.includes(answer.loadouts[0].name) && text.includes(number(answer.loadouts[0].average)), text);
      assert.equal(await page.getByRole('table').locator('tbody tr').count(), 3);
      await end(page);
    });

    it('10: what is Crack Shot worth, per point?', async () => {
      const page = await start(size);
      await go(page, 'Squad');
      await page.getByLabel('List, link, XWS, or a ship in words').fill('wedge antilles, crack shot');
      await settled(page);
      const row = await page.getByRole('table', { name: 'What upgrades are worth' }).locator('tbody tr').first().innerText();
      const worth = (await native('squad', { squad: 'wedge antilles, crack shot' })).pilots[0].worth[0];
      assert.ok((await headline(page)).includes(`Most damage for its points: Crack Shot of Wedge Antilles, +${number(worth.damage)} an attack`));
      assert.match(row, /^Crack Shot/);
      assert.ok(row.includes(`+${number(worth.damage)}`) && row.includes(`+${number(worth.damage_per_point, 3)}`), row);
      await end(page);
    });
  });
}
