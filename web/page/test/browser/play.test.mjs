// Home, Luck and Play as a user operates them. Expected figures come from the native program.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { named, settled, sizes } from './chrome.mjs';
import { end, native, setUp, xws } from './setup.mjs';
import { go, headline, number, percent } from './use.mjs';

const site = setUp({ plain: { engine: false } });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const signed = (value) => (value.toFixed(2) === '0.00' || value.toFixed(2) === '-0.00' ? '±0.00' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`);

/// Clicks and counts.
function counting(page) {
  const counter = { taps: 0 };
  counter.tap = async (locator) => {
    await settled(page);
    await locator.click();
    ++counter.taps;
  };
  return counter;
}

const kept = (page) => page.evaluate(() => JSON.parse(localStorage['salvo.game']).game);
const logText = ({ head, lines }) => [...head, '', ...lines, ''].join('\n');

/// The most taps that fit into two minutes.
const mostTaps = 120;
/// Attack faces that a table sees, one after another.
const attackFaces = ['hit', 'focus', 'blank', 'hit', 'crit', 'blank', 'focus', 'hit', 'blank'];
const defenseFaces = ['evade', 'blank', 'focus', 'blank', 'evade'];

/// Plays the attack of a ship on the first living target by the best plays, and returns its number of taps.
async function playAttack(page, counter, faces, { range } = {}) {
  await counter.tap(page.getByRole('group', { name: 'Who shoots?' }).getByRole('button').first());
  const targets = page.getByRole('group', { name: 'At whom?' }).locator('.shipButton');
  if ((await page.locator('.shipButton[aria-pressed=true]').count()) === 0) await counter.tap(targets.first());
  if (range !== undefined) await counter.tap(page.getByRole('radiogroup', { name: 'range' }).getByRole('radio', { name: String(range), exact: true }));
  const next = page.getByRole('button', { name: /^Next: \d/ });
  const isReady = async () => (await next.count()) > 0 && (await next.isEnabled());
  for (let i = 0; i < 40; ++i) {
    await settled(page);
    const attack = page.getByRole('group', { name: /^Attack dice/ });
    const defense = page.getByRole('group', { name: /^Defense dice/ });
    if ((await attack.locator('.faceButton').count()) > 0) {
      await counter.tap(attack.getByRole('button', { name: `add a ${faces.attack.next().value}` }));
      continue;
    }
    if ((await page.locator('.playButton').count()) > 0 && !(await isReady())) {
      const best = page.locator('.playButton').first();
      assert.ok(await best.evaluate((button) => {
        const { top, bottom } = button.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }), 'the best play is out of sight');
      await counter.tap(best);
      continue;
    }
    if (await isReady()) break;
    if ((await defense.locator('.faceButton').count()) > 0) {
      await counter.tap(defense.getByRole('button', { name: `add a ${faces.defense.next().value}` }));
      continue;
    }
    assert.fail('no way on');
  }
  await counter.tap(next);
  await settled(page);
}

function* cycle(list) {
  for (let i = 0; ; ++i) yield list[i % list.length];
}

describe('home', () => {
  for (const size of Object.keys(sizes)) {
    it(`greets those who come first, and answers each question with a tap, ${size}`, async () => {
      const page = await site.start({ size, hash: '' });
      await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
      const links = await page.locator('.homeGroup a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      assert.ok(links.length >= 15);
      const views = await page.locator('nav a').evaluateAll((all) => all.map((link) => /#v1\/(\w+)/.exec(link.getAttribute('href'))[1]));
      for (const link of links) {
        if (!views.includes(link.split(/[/?]/)[1])) continue;
        await page.evaluate(() => localStorage.removeItem('salvo.game'));
        await page.locator('.logo').click();
        await page.locator(`.homeGroup a[href="${link}"]`).click();
        await page.waitForFunction(() => !document.querySelector('.homeView'));
        await settled(page);
        assert.equal(await page.getByRole('alert').count(), 0, link);
        assert.match(await page.locator('.headline').innerText(), /\d|Who shoots/, link);
      }
      await end(page);
    });
  }

  it('does not stand in the way of those who come back', async () => {
    const page = await site.start({ hash: '' });
    await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
    await page.getByRole('link', { name: /^How many rounds does Vader live/ }).click();
    await settled(page);
    const hash = await page.evaluate(() => location.hash);
    await page.goto('about:blank');
    await page.goto(site.host.base);
    await settled(page);
    assert.equal(await page.evaluate(() => location.hash), hash);
    assert.match(await headline(page), /Darth Vader lives/);
    await end(page);
  });
});

describe('luck', () => {
  for (const size of Object.keys(sizes)) {
    it(`says how lucky an attack was, ${size}`, async () => {
      const page = await site.start({ size, hash: '#v1/luck?a=3~f1l1&d=2' });
      await named(page);
      assert.match(await headline(page), /Tap the dice/);
      for (const face of ['hit', 'focus', 'blank']) await page.getByRole('group', { name: /^Attack dice/ }).getByRole('button', { name: `add a ${face}` }).click();
      await settled(page);
      await page.locator('.playButton').filter({ hasText: /^Spend nothing$/ }).or(page.getByRole('button', { name: /^All \d+ plays$/ })).first().click();
      if ((await page.locator('.luckView').innerText()).includes('spent: nothing') === false) await page.locator('.playButton').filter({ hasText: /^Spend nothing$/ }).click();
      for (const face of ['blank', 'focus']) await page.getByRole('group', { name: /^Defense dice/ }).getByRole('button', { name: `add a ${face}` }).click();
      await page.getByRole('button', { name: 'damage suffered: one more' }).click();
      const text = await headline(page);
      const answer = await native('luck', { attack: ['3 focus lock'], defend: ['2'], point: { rolled: 'hit focus blank', spent: 'nothing', defense_rolled: 'blank focus' }, damage: 1 });
      assert.ok(text.includes(`${number(Math.abs(answer.luck.damage))} damage better for you; 1 came, ${number(answer.expected.damage)} was expected`), text);
      const [than, chance] = answer.expected.damage < 1 ? ['more', answer.with_best_play.at_least] : ['less', answer.with_best_play.at_most];
      assert.ok(text.includes(`Before the first die: 1 damage or ${than} in ${percent(chance)} of such attacks`), text);
      assert.ok(text.includes(`cost you ${number(-answer.skill.damage)}`), text);
      await page.getByRole('radio', { name: 'the defender’s' }).click();
      assert.ok((await headline(page)).includes('damage worse for you'));
      const sum = page.getByRole('table', { name: /^How it adds up/ });
      assert.ok((await sum.innerText()).includes(signed(-answer.result.damage)));
      assert.match(await page.evaluate(() => location.hash), /^#v1\/luck\?a=3~f1l1&d=2&pr=hfb&ps=nothing&pdr=bf&dmg=1&me=defender$/);
      await end(page);
    });
  }

  it('of two hits against three green dice with focus and evade', async () => {
    const page = await site.start({ hash: '#v1/luck?a=2&d=3~f1e1&pr=hh&dmg=1&me=defender' });
    // One hit gets through only if all three dice are blank, (3/8)^3.
    assert.match(await headline(page), /Very unlucky.*Against hit, hit: 1 or more gets through in 5\.3 %/s);
    await end(page);
  });
});

describe('play', () => {
  for (const size of Object.keys(sizes)) {
    it(`a whole round of four against four takes under two minutes of taps, ${size}`, async () => {
      const page = await site.start({ size, hash: '#v1/play' });
      await named(page);
      const counter = counting(page);
      await counter.tap(page.getByRole('button', { name: 'An example: four against four' }));
      // Each ship takes a focus, and two evade besides.
      for (const ship of ['Wedge', 'Luke', 'Red', 'Blue', 'Darth', 'Soontir', 'Black', 'Academy']) {
        await counter.tap(page.getByRole('group', { name: new RegExp(`^Tokens: ${ship}`) }).getByRole('button', { name: /^focus.*add one$/ }));
      }
      const faces = { attack: cycle(attackFaces), defense: cycle(defenseFaces) };
      for (let i = 0; i < 8; ++i) {
        if ((await page.getByRole('group', { name: 'Who shoots?' }).locator('.shipButton:not(.hasShot)').count()) === 0) break;
        await playAttack(page, counter, faces, i === 0 ? { range: 1 } : {});
      }
      const game = await kept(page);
      const attacks = game.lines.filter((line) => line.includes('>'));
      console.log(`${size}: ${counter.taps} taps for ${attacks.length} attacks`);
      assert.ok(attacks.length >= 7, attacks.join('\n'));
      assert.ok(counter.taps <= mostTaps, `${counter.taps} taps`);
      // The score is that of the native program, and the best plays cost nothing.
      const answer = await native('review', { log: logText(game) });
      const score = await page.locator('.score').innerText();
      for (const player of answer.players) assert.ok(score.includes(`luck ${signed(player.luck)}`), `${score}\n${player.luck}`);
      assert.deepEqual(answer.errors, [], game.lines.join('\n'));
      assert.deepEqual(game.fighters.map((fighter) => fighter.damage).reduce((a, b) => a + b), answer.players[0].dealt + answer.players[1].dealt);
      await page.getByRole('button', { name: 'Next round' }).click();
      await page.getByRole('heading', { name: 'Round 2' }).waitFor();
      assert.equal(await page.locator('.fighters .token-focus.on').count(), 0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
      // The game is still there after a reload, and a step is taken back.
      await page.reload();
      await page.getByRole('heading', { name: 'Round 2' }).waitFor();
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.getByRole('heading', { name: 'Round 1' }).waitFor();
      await end(page);
    });
  }

  it('gives the odds before the roll and the best play after it, as the program does', async () => {
    const page = await site.start({ hash: '#v1/play?begin=example' });
    await named(page);
    await page.getByRole('group', { name: /^Tokens: Luke/ }).getByRole('button', { name: 'focus: add one' }).click();
    await page.getByRole('button', { name: 'Luke Skywalker: lock' }).click();
    await page.getByRole('button', { name: 'Luke Skywalker locks Darth Vader' }).click();
    await page.getByRole('group', { name: 'Who shoots?' }).getByRole('button', { name: /Luke/ }).click();
    await page.getByRole('group', { name: 'At whom?' }).getByRole('button', { name: /Darth/ }).click();
    await page.getByLabel('shoots with').selectOption('protontorpedoes');
    const ships = { attack: ['pilot=lukeskywalker ship=t65xwing protontorpedoes focus force=2 lock weapon=protontorpedoes'], defend: ['pilot=darthvader ship=tieadvancedx1 force=3'] };
    const odds = await native('run', ships);
    const text = await headline(page);
    assert.ok(text.includes(percent(odds.ships.d.destroyed)) && text.includes(number(odds.ships.d.damage.mean)), text);
    for (const face of ['hit', 'focus', 'blank', 'blank']) await page.getByRole('group', { name: /^Attack dice/ }).getByRole('button', { name: `add a ${face}` }).click();
    const advice = await native('advise', { ...ships, point: { attack: 1, rolled: 'hit focus blank blank' } });
    assert.ok((await headline(page)).includes(number(advice.value)), await headline(page));
    await page.locator('.playButton').first().click();
    const again = advice.options[0].rerolls;
    assert.ok(again.length > 0);
    for (const _ of again) await page.getByRole('group', { name: /^Attack dice/ }).getByRole('button', { name: 'add a hit' }).click();
    await settled(page);
    // What is left of the attacker's plays, then the defense.
    const defense = page.getByRole('group', { name: /^Defense dice/ });
    const next = page.getByRole('button', { name: /^Next: \d/ });
    for (let i = 0; i < 9 && (await next.count()) === 0; ++i) {
      if ((await page.locator('.playButton').count()) > 0) await page.locator('.playButton').first().click();
      else await defense.getByRole('button', { name: 'add a focus' }).click();
      await settled(page);
    }
    await page.getByRole('button', { name: /^Next: \d/ }).click();
    await settled(page);
    const game = await kept(page);
    assert.match(game.lines[1], /^luke \(focus lock\) > vader \(none\) r2 weapon=protontorpedoes: hit focus blank blank; /);
    const luke = game.fighters.find((fighter) => fighter.name === 'luke');
    assert.deepEqual([luke.charges.protontorpedoes.left, luke.locks, luke.hasShot], [1, [], true]);
    const answer = await native('review', { log: logText(game) });
    assert.equal(answer.errors.length, 0, JSON.stringify(answer.errors));
    await end(page);
  });

  it('reads the log of a game, reviews it, and goes on', async () => {
    const page = await site.start({ hash: '#v1/play' });
    await named(page);
    const log = readFileSync(new URL('../../../../profiles/logs/evening.txt', import.meta.url), 'utf8');
    await page.getByLabel('A log as text').fill(log);
    await page.getByRole('button', { name: 'Read this log' }).click();
    await page.getByText('The costliest decisions').first().waitFor();
    const answer = await native('review', { log });
    assert.ok((await headline(page)).includes(answer.sentence), await headline(page));
    const errors = page.getByRole('table', { name: 'The costliest decisions' });
    assert.equal(await errors.locator('tbody tr').count(), answer.errors.length);
    assert.match(await errors.innerText(), /Luke Skywalker: Spend nothing/);
    assert.equal((await page.locator('pre.command').textContent()).trim(), log.trim());
    // The game goes on where the log ends.
    await page.getByRole('button', { name: 'Back to the table' }).click();
    await page.getByRole('heading', { name: 'Round 2' }).waitFor();
    const game = await kept(page);
    assert.deepEqual(game.fighters.map(({ damage }) => damage), ['luke', 'wedge', 'vader', 'academy'].map((name) => answer.attacks.filter((attack) => attack.on === name).reduce((sum, attack) => sum + attack.result.damage, 0)));
    await end(page);
  });

  it('begins with two squads, and says what is wrong with a log', async () => {
    const page = await site.start({ hash: '#v1/play' });
    await named(page);
    await page.locator('.squadField textarea').first().fill(xws('rebels'));
    await page.locator('.squadField textarea').nth(1).fill('academy pilot / academy pilot / darth vader');
    await settled(page);
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.getByRole('heading', { name: 'Round 1' }).waitFor();
    const game = await kept(page);
    assert.deepEqual(game.fighters.map(({ name }) => name), ['wedgeantilles', 'redsquadronveteran', 'bladesquadronveteran', 'academypilot', 'academypilot-2', 'darthvader']);
    assert.ok(game.fighters.every(({ hull }) => hull > 0));
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'New game' }).click();
    await page.getByRole('button', { name: 'New game' }).click();
    await page.getByLabel('A log as text').fill('player Ann\nluke: pilot=lukeskywalker\nplayer Bob\nvader: pilot=darthvader\nluke > nobody: hit');
    await page.getByRole('button', { name: 'Read this log' }).click();
    assert.match(await page.getByRole('alert').innerText(), /nobody.*the ships are/);
    await end(page);
  });

  it('works with the keyboard alone', async () => {
    const page = await site.start({ hash: '#v1/play?begin=example' });
    await named(page);
    const press = async (locator) => {
      await settled(page);
      await locator.focus();
      await page.keyboard.press('Enter');
    };
    await press(page.getByRole('group', { name: 'Who shoots?' }).getByRole('button').first());
    await press(page.getByRole('group', { name: 'At whom?' }).getByRole('button', { name: /Darth/ }));
    await press(page.getByRole('button', { name: 'damage: one more' }));
    await press(page.getByRole('button', { name: 'Next: 1 damage' }));
    await page.waitForFunction(() => JSON.parse(localStorage['salvo.game']).game.lines.length === 2);
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => JSON.parse(localStorage['salvo.game']).game.lines.length === 0);
    await end(page);
  });

  it('has nothing for axe to find, in both themes', async () => {
    for (const theme of ['dark', 'light']) {
      const page = await site.start({ size: 'phone', theme, hash: '#v1/play', bypassCSP: true });
      const check = async (what) => {
        await settled(page);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { rules: { 'color-contrast': { enabled: true } } }));
        assert.deepEqual(violations.map(({ id, nodes }) => [what, id, nodes.map((node) => node.html).slice(0, 3)]), []);
      };
      await check('setup');
      await page.getByRole('button', { name: 'An example: four against four' }).click();
      await page.getByRole('group', { name: 'Who shoots?' }).getByRole('button', { name: /Wedge/ }).click();
      await page.getByRole('group', { name: 'At whom?' }).getByRole('button', { name: /Darth/ }).click();
      for (const face of ['hit', 'focus', 'blank']) await page.getByRole('group', { name: /^Attack dice/ }).getByRole('button', { name: `add a ${face}` }).click();
      await check('attack');
      await page.getByRole('button', { name: 'damage: one more' }).click();
      await page.getByRole('button', { name: 'damage: one more' }).click();
      await page.getByRole('button', { name: /^Next: \d/ }).click();
      await page.getByRole('button', { name: 'Review' }).click();
      await check('review');
      await end(page);
    }
  });

  it('works without a server, and without a network once it has been there', async () => {
    const page = await site.start({ at: 'plain', hash: '#v1/play?begin=log' });
    await named(page);
    await page.getByText('The costliest decisions').first().waitFor();
    const wanted = await headline(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    // The service worker starts after the first visit, so what views fetch is cached by the next one.
    await page.waitForFunction(async () => (await caches.keys()).length === 1);
    await page.reload();
    await settled(page);
    await page.waitForFunction(async () => {
      const urls = (await (await caches.open((await caches.keys())[0])).keys()).map((request) => request.url);
      return ['play-further', 'salvo-further', '.css'].every((part) => urls.some((url) => url.includes(part)));
    });
    await page.context().setOffline(true);
    await page.reload();
    assert.equal(await headline(page), wanted);
    await page.context().close();
  });
});
