// The main task of each other view, on a phone and a desktop. Expected figures come from the native program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { salvo } from '../bridge.mjs';
import { named, settled, sizes } from './chrome.mjs';
import { end, native, setUp, xws } from './setup.mjs';
import { go, headline, number, percent, pick, shot } from './use.mjs';
import { questions } from '../questions.mjs';

const site = setUp();

for (const size of Object.keys(sizes)) {
  describe(`views, ${size}`, () => {
    it('Should I?: the next step follows from a tap on a play', async () => {
      const page = await site.start({ size, hash: '#v1/advise?a=:t65xwing~f1l1r1&a=:t65xwing~f1&d=:tielnfighter~f1e1&o=kill' });
      await named(page);
      for (const face of ['hit', 'hit', 'focus', 'blank']) await page.getByRole('button', { name: `add a ${face}` }).first().click();
      const scenario = {
        objective: 'kill',
        ships: {
          a1: { ship: 't65xwing', tokens: { focus: 1, lock: ['d'] } },
          a2: { ship: 't65xwing', tokens: { focus: 1 } },
          d: { ship: 'tielnfighter', tokens: { focus: 1, evade: 1 } },
        },
        attacks: [{ by: 'a1', on: 'd', range: 1 }, { by: 'a2', on: 'd' }],
      };
      let answer = await native('advise', { ...scenario, point: { attack: 1, rolled: 'hit hit focus blank' } });
      assert.equal(answer.best, 'spend the lock: reroll blank');
      assert.ok((await headline(page)).includes(`Spend the lock to reroll blank: ${percent(answer.value)} instead of`));
      await page.getByRole('button', { name: 'Spend the lock to reroll blank' }).click();
      assert.match(await headline(page), /Roll blank again, and tap what came/);
      await page.getByRole('group', { name: /^Attack dice/ }).getByRole('button', { name: 'add a hit' }).click();
      answer = await native('advise', { ...scenario, point: { attack: 1, rolled: 'hit hit focus blank', spent: 'lock', rerolled: 'blank=hit' } });
      assert.ok((await headline(page)).includes(percent(answer.value)));
      await page.getByRole('button', { name: 'Spend focus', exact: true }).click();
      const defense = page.getByRole('group', { name: /^Defense dice/ });
      for (const face of ['evade', 'focus', 'blank']) await defense.getByRole('button', { name: `add a ${face}` }).click();
      answer = await native('advise', {
        ...scenario,
        point: { attack: 1, rolled: 'hit hit focus blank', spent: 'lock focus', rerolled: 'blank=hit', defense_rolled: 'evade focus blank', to_move: 'defender' },
      });
      const text = await headline(page);
      assert.ok(text.includes(percent(answer.value)), text);
      assert.equal(await page.locator('.playTable tbody tr').count(), Math.min(6, answer.options.length));
      // Back, step by step.
      await page.goBack().catch(() => undefined);
      await page.context().close();
    });

    it('Should I?: the second attack, with what the first has done; a card is used', async () => {
      const page = await site.start({ size, hash: '#v1/advise?a=3~f1&a=3.predator&d=2~e1,hull=3&o=kill' });
      await named(page);
      assert.equal(await page.getByRole('group', { name: 'Before this attack' }).count(), 0);
      await page.getByRole('radiogroup', { name: 'Attack', exact: true }).getByRole('radio', { name: '2', exact: true }).click();
      const more = page.getByRole('button', { name: 'damage of 2 defense dice: one more' });
      await more.click();
      await more.click();
      for (const face of ['hit', 'blank', 'blank']) await page.getByRole('button', { name: `add a ${face}` }).first().click();
      const scenario = {
        objective: 'kill',
        ships: { a1: { attack: 3, tokens: { focus: 1 } }, a2: { attack: 3, upgrades: ['predator'] }, d: { agility: 2, hull: 3, tokens: { evade: 1 } } },
        attacks: [{ by: 'a1', on: 'd' }, { by: 'a2', on: 'd' }],
      };
      const point = { attack: 2, rolled: 'hit blank blank', damage: { d: 2 } };
      let answer = await native('advise', { ...scenario, point });
      assert.deepEqual([answer.options[0].spends, answer.options[0].rerolls], [['predator'], ['blank']]);
      assert.ok((await headline(page)).includes(percent(answer.value)));
      assert.match(page.url(), /pdm=d:2/);
      await page.getByRole('button', { name: /^Use Predator to reroll blank$/i }).click();
      await page.getByRole('group', { name: /^Attack dice/ }).getByRole('button', { name: 'add a hit' }).click();
      answer = await native('advise', { ...scenario, point: { ...point, spent: 'predator', rerolled: 'blank=hit' } });
      assert.ok((await headline(page)).includes(percent(answer.value)));
      await end(page);
    });

    it('a fact that is a number has a stepper', async () => {
      const page = await site.start({ size, hash: '#v1/attack?a=bobafett~f1&d=2~f1' });
      await named(page);
      const card = shot(page, 1);
      await card.getByRole('button', { name: /^how many: .*one more$/ }).first().click();
      await page.waitForFunction(() => location.hash.includes('enemy-near-attacker=2'));
      const answer = await native('run', {
        ships: { a1: { pilot: 'bobafett', tokens: { focus: 1 } }, d: { agility: 2, tokens: { focus: 1 } } },
        attacks: [{ by: 'a1', on: 'd', facts: ['enemy-near-attacker = 2'] }],
      });
      assert.ok((await headline(page)).includes(number(answer.ships.d.damage.mean)));
      await end(page);
    });

    it('Squad: every ship against every ship', async () => {
      const page = await site.start({ size, hash: questions.squad });
      await named(page);
      await settled(page);
      const answer = await native('squad', { squad: JSON.parse(xws('rebels')), against: JSON.parse(xws('empire')), range: 2 });
      const table = page.getByRole('table', { name: /^Red flight shoots at Black flight/ });
      const cells = await table.locator('tbody td').allInnerTexts();
      assert.deepEqual(cells, answer.matrix.forth.cells.flat().map((cell) => number(cell.mean)));
      await page.getByRole('radio', { name: 'shots to destroy' }).first().click();
      assert.deepEqual(await table.locator('tbody td').allInnerTexts(), answer.matrix.forth.cells.flat().map((cell) => (cell.mean_shots === null ? '–' : number(cell.mean_shots, 1))));
      await end(page);
    });

    it('Squad: a ship in words is typed, key by key', async () => {
      const page = await site.start({ size, hash: '#v1/squad' });
      await named(page);
      const field = page.getByLabel('List, link, XWS, or a ship in words');
      await field.click();
      await page.keyboard.type('wedge antilles, crack shot');
      assert.equal(await field.inputValue(), 'wedge antilles, crack shot');
      assert.match(await headline(page), /^wedge antilles, crack shot$/m);
      const { pilots } = await native('squad', { squad: 'wedge antilles, crack shot' });
      await page.getByRole('table').getByText(pilots[0].name).first().waitFor();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await settled(page);
      assert.equal(await field.inputValue(), '');
      await end(page);
    });

    it('Squad: a file is chosen, again after it was removed, and dropped', async () => {
      const page = await site.start({ size, hash: '#v1/squad' });
      await settled(page);
      const field = page.locator('.squadField').first();
      const file = { name: 'squad.json', mimeType: 'application/json', buffer: Buffer.from(xws('rebels')) };
      for (const remove of [true, false]) {
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), field.getByText('or choose a file').click()]);
        // The input must be empty, since browsers fire no event when the same file is chosen again.
        assert.equal(await field.locator('input[type=file]').inputValue(), '');
        await chooser.setFiles(file);
        assert.match(await headline(page), /Red flight/);
        await page.waitForFunction(() => location.hash.startsWith('#v1/squad?z=.'));
        if (remove) await page.getByRole('button', { name: 'Remove', exact: true }).click();
      }
      await field.evaluate((element, text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], 'squad.xws'));
        element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, xws('empire'));
      await page.getByText('Black flight, 4 ships').waitFor();
      await field.evaluate((element, text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('text/plain', text);
        element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, xws('rebels'));
      assert.match(await headline(page), /Red flight/);
      await page.reload();
      assert.match(await headline(page), /Red flight/);
      await end(page);
    });

    it('Hazards: two ships and a bomb', async () => {
      const page = await site.start({ size, hash: '#v1/hazards' });
      await named(page);
      await page.getByLabel('Hazard').selectOption('thermal-detonator');
      await page.getByRole('button', { name: '+ ship' }).click();
      const answer = await native('hazard', { hazard: 'thermal-detonator', ships: ['ship=t65xwing', 'ship=t65xwing'] });
      const text = await headline(page);
      for (const ship of Object.values(answer.ships)) assert.ok(text.includes(number(ship.damage.mean)), text);
      // A single detonator destroys no X-wing, so there is nothing to count; twenty do.
      const together = page.getByRole('table', { name: 'How many are destroyed' });
      assert.equal(await together.count(), 0);
      await page.goto(`${site.host.base}#v1/hazards?h=thermal-detonator&times=20&d=0~,hull=3&d=:t65xwing`);
      await settled(page);
      assert.equal(await together.count(), 1);
      // Ships have the same names everywhere.
      const names = await page.locator('.headline .who').allInnerTexts();
      assert.deepEqual(names, ['Ship 1', 'T-65 X-wing']);
      for (const name of names) assert.equal(await page.getByRole('button', { name: `Remove ${name}`, exact: true }).count(), 1, name);
      await page.getByLabel('Hazard').selectOption('player-order');
      assert.match(await headline(page), /Each player wins 50\.0 %/);
      await page.getByLabel('Hazard').selectOption('asteroid');
      assert.match(await headline(page), /mean damage/);
      await end(page);
    });

    it('Cards: found, shown, tried; and one of one’s own', async () => {
      const page = await site.start({ size, hash: '#v1/cards' });
      await named(page);
      await page.getByPlaceholder(/Search/).fill('predator');
      await settled(page);
      await page.locator('.cardList button').filter({ hasText: /^Predator/ }).first().click();
      const { cards } = await native('cards', { show: 'predator', kind: 'upgrade' });
      await page.locator('.headline').getByText(cards[0].effects[0].text).waitFor();
      // A mistake in a card is shown with its line while the user types.
      await page.getByRole('button', { name: 'Begin with an example' }).click();
      const field = page.getByPlaceholder('The card, as TOML');
      const text = await field.inputValue();
      await field.fill(text.replace('attack-mod', 'attack-mood'));
      await page.locator('.ownCards .error').waitFor();
      assert.match(await page.locator('.ownCards .error').innerText(), /line 6/);
      await field.fill(text);
      await page.getByText('This card is right.').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await go(page, 'Attack');
      await pick(page.locator('.shots > li').first(), 'add upgrade', 'mycard', /^mycard/);
      const answer = await native('run', { attack: ['ship=t65xwing mycard focus'], defend: 'ship=tielnfighter evade', card: [text] });
      assert.ok((await headline(page)).includes(number(answer.ships.d.damage.mean)));
      await page.reload();
      assert.ok((await headline(page)).includes(number(answer.ships.d.damage.mean)));
      await end(page);
    });
  });
}

describe('a phone', () => {
  for (const name of ['compare', 'compareTwice', 'surviveOne', 'hazards', 'luck', 'battleLists']) {
    it(`cuts off no text of a chart: ${name}`, async () => {
      const page = await site.start({ size: 'phone', hash: questions[name] });
      await settled(page);
      const cut = await page.locator('.chart').evaluateAll((charts) =>
        charts.flatMap((chart) => {
          const { left, right } = chart.getBoundingClientRect();
          const texts = [...chart.querySelectorAll('text, p')].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
          return texts.filter(({ box }) => box.left < left - 1 || box.right > right + 1).map(({ text }) => text);
        }),
      );
      assert.deepEqual(cut, []);
      await end(page);
    });
  }

  it('shows a gauntlet of three lists without scrolling', async () => {
    const page = await site.start({ size: 'phone', hash: questions.gauntlet });
    await settled(page);
    assert.ok(await page.locator('.scroll:has(.gauntlet)').evaluate((region) => region.scrollWidth <= region.clientWidth));
    await end(page);
  });

  it('shows what each play loses without scrolling', async () => {
    const page = await site.start({ size: 'phone', hash: questions.advise });
    await settled(page);
    const [table, loss] = await Promise.all(['.playTable', '.playTable tbody tr:last-child td:nth-child(3)'].map((part) => page.locator(part).boundingBox()));
    assert.ok(loss.x + loss.width <= table.x + table.width + 1, `${loss.x + loss.width} > ${table.x + table.width}`);
    await end(page);
  });

  it('is not asked to choose where there is no choice', async () => {
    const page = await site.start({ size: 'phone', hash: questions.adviseBefore });
    await settled(page);
    assert.equal(await page.getByRole('radiogroup', { name: 'They play for' }).count(), 0);
    await page.goto(`${site.host.base}${questions.advise}`);
    await settled(page);
    assert.equal(await page.getByRole('radiogroup', { name: 'They play for' }).getByRole('radio').count(), 3);
    await end(page);
  });
});

describe('a desktop', () => {
  it('shows the review of a game over the whole width', async () => {
    const page = await site.start({ hash: questions.playLog });
    await settled(page);
    const { x, width } = await page.locator('.details').boundingBox();
    const right = sizes.desktop.width - x - width;
    assert.ok(x < 50 && right < 50, `${x} pixels on the left and ${right} on the right`);
    await end(page);
  });
});

describe('every view', () => {
  for (const name of ['advise', 'compare', 'compareTwice', 'compareSquad', 'squad', 'survive', 'surviveOne', 'hazards']) {
    it(`${name}: the JSON is that of the command`, async () => {
      const page = await site.start({ hash: questions[name] });
      await settled(page);
      const json = page.getByRole('button', { name: 'JSON' });
      await json.click();
      await page.getByText('JSON copied').waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      await page.getByRole('button', { name: 'Command' }).click();
      await page.getByText('Command copied').waitFor();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(copied, execFileSync('bash', ['-c', `salvo() { ${salvo} "$@"; }; ${command}`], { encoding: 'utf8' }), command);
      await page.context().close();
    });
  }
});
