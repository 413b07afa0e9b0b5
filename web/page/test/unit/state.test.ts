import { describe, expect, it } from 'vitest';
import * as edit from '../../src/state/edit';
import { addressOf, readAddress } from '../../src/state/address';
import { carry } from '../../src/state/carry';
import { headOf, OwnCards } from '../../src/state/own';
import { begin, change, readRecent, redo, remember, undo, writeRecent } from '../../src/state/past';
import { keysOf, newScenario, newShip, roles, views, type AttackQuestion } from '../../src/state/question';
import { commandOf, requestOf, specsOf } from '../../src/state/request';

const attack = (hash: string): AttackQuestion => readAddress(hash).question as AttackQuestion;

class Memory {
  items = new Map<string, string>();
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.items.set(key, value);
  removeItem = (key: string): void => void this.items.delete(key);
}

describe('edits', () => {
  it('do not change the old question', () => {
    const scenario = newScenario();
    const before = JSON.stringify(scenario);
    edit.addShooter(scenario);
    edit.repeatShooter(scenario, 0);
    edit.addTarget(scenario);
    edit.shootBack(scenario, roles(scenario).targets[0]!.id);
    expect(JSON.stringify(scenario)).toBe(before);
  });
  it('add, repeat, move and remove attackers', () => {
    let { scenario } = attack('#v1/attack?a=3~f1&d=2');
    scenario = edit.addShooter(scenario, newShip({ attack: 2 }));
    scenario = edit.repeatShooter(scenario, 0);
    expect(addressOf({ view: 'attack', scenario })).toBe('#v1/attack?a=3~f1&a=3~f1&a=2&d=2');
    scenario = edit.moveShot(scenario, 2, 0);
    expect(addressOf({ view: 'attack', scenario })).toBe('#v1/attack?a=2&a=3~f1&a=3~f1&d=2');
    scenario = edit.removeShot(scenario, 1);
    expect(addressOf({ view: 'attack', scenario })).toBe('#v1/attack?a=2&a=3~f1&d=2');
    expect(scenario.ships).toHaveLength(3);
  });
  it('preserve sides: a target cannot shoot first', () => {
    let { scenario } = attack('#v1/attack?a=3&d=2');
    scenario = edit.shootBack(scenario, roles(scenario).targets[0]!.id);
    expect(addressOf({ view: 'attack', scenario })).toBe('#v1/attack?a=3~,agility=2&x=d:a1&d=2');
    expect(edit.moveShot(scenario, 1, 0)).toBe(scenario);
  });
  it('add and remove targets with the locks on them', () => {
    let { scenario } = attack('#v1/attack?a=3~l1&d=2');
    scenario = edit.addTarget(scenario);
    expect([...keysOf(scenario).values()].sort()).toEqual(['a1', 'd1', 'd2']);
    scenario = edit.removeTarget(scenario, roles(scenario).targets[0]!.id);
    expect(scenario.ships.flatMap((ship) => ship.locks)).toEqual([]);
    expect(edit.removeTarget(scenario, roles(scenario).targets[0]!.id)).toBe(scenario);
  });
  it('stop at the limits of attackers and targets', () => {
    let scenario = newScenario();
    for (let i = 0; i < 40; ++i) scenario = edit.addTarget(edit.addShooter(scenario));
    expect(scenario.shots).toHaveLength(12);
    expect(roles(scenario).targets).toHaveLength(6);
  });
});

describe('commands', () => {
  it('use SPECs where possible', () => {
    expect(commandOf(attack('#v1/attack?a=wedgeantilles.predator~f1l1r1&a=2~f1&d=:tielnfighter~f1e1&o=kill'))).toBe(
      "salvo run --attack 'pilot=wedgeantilles predator focus lock range=1' --attack '2 focus' --defend 'ship=tielnfighter focus evade' --objective kill --no-would-add --format json",
    );
  });
  it('name chances, faces and damage cards in SPECs', () => {
    const hash = '#v1/attack?a=3~f1l1,p:focus=50,p:lock=25,p:range=1:20_3:80,p:obstructed=25,rolled=hfb&d=2~e2,hull=4,p:evade=60,faceup=direct-hit,facedown=1';
    expect(specsOf(attack(hash).scenario)).toEqual({
      attack: ['3 focus=50% lock=25% range=1:20%,3:80% obstructed=25% rolled=hit,focus,blank'],
      defend: ['2 hull=4 evade=0:40%,2:60% faceup=direct-hit facedown=1'],
    });
    expect(specsOf(attack('#v1/attack?a=3~,dresults=e&d=2').scenario)?.defend).toEqual(['2 results=evade']);
    expect(specsOf(attack('#v1/attack?a=3&a=3~,dresults=e&d=2').scenario)).toBeUndefined();
  });
  it('leave weapons and loadouts to those who read the request', () => {
    expect(specsOf(attack('#v1/attack?a=lukeskywalker.protontorpedoes~l1&d=2').scenario)).toBeUndefined();
    expect(specsOf(attack('#v1/attack?a=lukeskywalker-battleofyavin&d=2').scenario)?.attack).toEqual(['pilot=lukeskywalker-battleofyavin loadout=none']);
  });
  it('use the request as JSON otherwise', () => {
    const question = attack("#v1/attack?a=3~,!bullseye&d=2");
    expect(specsOf(question.scenario)).toBeUndefined();
    expect(commandOf(question)).toContain("salvo request run - <<'END'\n{");
  });
  it('never let a shell run what a question says', () => {
    const question = attack('#v1/attack?a=3&d=2');
    question.scenario.ships[0]!.upgrades.push("x'; rm -rf /; '");
    expect(commandOf(question)).toContain(`'3 x'\\''; rm -rf /; '\\'''`);
  });
});

describe('the past', () => {
  it('can be undone and redone', () => {
    const one = attack('#v1/attack?a=1&d=1');
    const two = attack('#v1/attack?a=2&d=1');
    let past = change(begin(one), two);
    past = undo(past);
    expect(past.question).toBe(one);
    expect(undo(past)).toBe(past);
    past = redo(past);
    expect(past.question).toBe(two);
    expect(change(past, attack('#v1/attack?a=2&d=1')).undo).toHaveLength(1);
  });
  it('remembers the last twenty questions, each once', () => {
    const store = new Memory();
    let list = readRecent(store);
    for (let i = 0; i < 30; ++i) list = remember(list, { address: `#v1/attack?a=${i % 20}&d=1`, title: `${i}` });
    writeRecent(store, list);
    const recent = readRecent(store);
    expect(recent).toHaveLength(20);
    expect(recent[0]!.title).toBe('29');
    expect(remember(list, { address: '#v1/attack?a=1~f1&d=1', title: 'x' }, list[0]!.address)).toHaveLength(20);
  });
  it('survives a storage that is full, forbidden or full of nonsense', () => {
    const store = new Memory();
    for (const text of ['nonsense', '{}', '[1,null,{"address":1}]', '[{"address":"javascript:1","title":"x"}]']) {
      store.setItem('salvo.recent', text);
      expect(readRecent(store)).toEqual([]);
    }
    const broken = { getItem: () => { throw new Error('no'); }, setItem: () => { throw new Error('full'); }, removeItem: () => undefined };
    expect(readRecent(broken)).toEqual([]);
    writeRecent(broken, []);
    expect(new OwnCards(broken).list).toEqual([]);
  });
});

describe('cards of one’s own', () => {
  it('are saved under the id in their text', () => {
    const store = new Memory();
    const own = new OwnCards(store);
    own.save('id = "mycard"\nkind = "upgrade"\n');
    own.save('id = "mycard"\nkind = "upgrade"\n# again\n');
    own.save('no head');
    expect(new OwnCards(store).list).toHaveLength(1);
    expect(own.textsFor(['mycard'])[0]).toContain('# again');
    // Another tab saves one, too.
    new OwnCards(store).save('id = "theirs"');
    own.readAgain();
    expect(own.save('id = "third"')).toBe(true);
    expect(new OwnCards(store).list.map((card) => card.id)).toEqual(['third', 'theirs', 'mycard']);
    for (const card of own.list) own.remove(card);
    expect(new OwnCards(store).list).toEqual([]);
    const full = { getItem: () => null, setItem: () => { throw new Error('full'); } };
    expect(new OwnCards(full).save('id = "mycard"')).toBe(false);
    expect(headOf('kind = "pilot"')).toBeUndefined();
  });
});

describe('other views', () => {
  it('take the ships over', () => {
    const question = attack('#v1/attack?a=wedgeantilles~f1l1&a=2&d=3~e1&d=:t65xwing&rules=second-edition');
    for (const view of views) {
      const other = carry(question, view);
      expect(other.view).toBe(view);
      expect(readAddress(addressOf(other)).problems).toEqual([]);
      if (!['squad', 'battle', 'gauntlet', 'home', 'play'].includes(view)) expect(requestOf(other)).toBeDefined();
    }
    expect(addressOf(carry(question, 'survive'))).toBe('#v1/survive?a=wedgeantilles~f1l1&a=2&d=3~e1,hull=4&rules=second-edition');
    expect(addressOf(carry(carry(question, 'compare'), 'attack'))).toContain('wedgeantilles~f1l1');
  });
});

describe('sides', () => {
  it('follow from who shoots at whom', () => {
    let { scenario } = attack('#v1/attack?a=3~f1&d=2');
    scenario = edit.addAnswer(edit.addAnswer(scenario));
    expect(addressOf({ view: 'attack', scenario })).toBe('#v1/attack?a=3~f1,agility=2&x=d2:a1&x=d3:a1&d=2&e=3~f1&e=3~f1');
    const again = attack('#v1/attack?a=3~f1,agility=2&x=d2:a1&x=d3:a1&d=2&e=3~f1&e=3~f1').scenario;
    expect(addressOf({ view: 'attack', scenario: again })).toBe('#v1/attack?a=3~f1,agility=2&x=d2:a1&x=d3:a1&d=2&e=3~f1&e=3~f1');
    expect(roles(again).victims).toHaveLength(1);
    expect(roles(again).targets).toHaveLength(3);
    expect(requestOf({ view: 'attack', scenario: again })?.body).toEqual({
      ships: {
        a1: { attack: 3, agility: 2, tokens: { focus: 1 } },
        d1: { agility: 2 },
        d2: { attack: 3, tokens: { focus: 1 } },
        d3: { attack: 3, tokens: { focus: 1 } },
      },
      attacks: [
        { by: 'a1', on: 'd1', range: 2 },
        { by: 'd2', on: 'a1', range: 2 },
        { by: 'd3', on: 'a1', range: 2 },
      ],
    });
  });
});
