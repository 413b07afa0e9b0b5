import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addressOf, readAddress } from '../../src/state/address';
import { packSquad, unpackSquad } from '../../src/state/pack';
import { battleRequest, gauntletRequest } from '../../src/state/further/fightRequest';
import { requestOf, type Request } from '../../src/state/request';
import type { AttackQuestion, Question } from '../../src/state/question';

const read = (hash: string): Question => {
  const { question, problems } = readAddress(hash);
  expect(problems).toEqual([]);
  return question;
};
const askedBy = (question: Question): Request | undefined =>
  question.view === 'battle' ? battleRequest(question) : question.view === 'gauntlet' ? gauntletRequest(question) : requestOf(question);
const bodyOf = (hash: string): unknown => requestOf(read(hash))?.body;

describe('addresses', () => {
  it('express the question in a few readable words', () => {
    expect(bodyOf('#v1/attack?a=wedgeantilles.predator~f1l1r1&d=:tielnfighter~f1e1')).toEqual({
      ships: {
        a1: { pilot: 'wedgeantilles', upgrades: ['predator'], tokens: { focus: 1, lock: ['d'] } },
        d: { ship: 'tielnfighter', tokens: { focus: 1, evade: 1 } },
      },
      attacks: [{ by: 'a1', on: 'd', range: 1 }],
    });
  });

  it('express what the short form cannot', () => {
    const hash = '#v1/attack?a=3~f1,force=2,hull=4,obstructed,weapon=primary:rear,!bullseye,enemy-near-attacker=2&d=2~,hull=3,shields=1&o=kill&deck=core';
    expect(bodyOf(hash)).toEqual({
      objective: 'kill',
      damage_deck: 'core',
      ships: { a1: { attack: 3, hull: 4, tokens: { focus: 1, force: 2 } }, d: { agility: 2, hull: 3, shields: 1 } },
      attacks: [
        { by: 'a1', on: 'd', weapon: 'primary:rear', range: 2, obstructed: true, facts: ['not bullseye', 'enemy-near-attacker = 2'] },
      ],
    });
  });

  it('distinguish several targets, locks, friends, second attacks and return fire', () => {
    const hash = '#v1/attack?a=3~l1,lock=d2&a=:t65xwing&x=a1:d2~r1&x=d1:a2&w=howlrunner~f1&d=2~,hull=4&d=wedgeantilles~,lock=a1';
    const body = bodyOf(hash) as { ships: Record<string, unknown>; attacks: unknown[] };
    expect(body.ships).toEqual({
      a1: { attack: 3, tokens: { lock: ['d1', 'd2'] } },
      a2: { ship: 't65xwing' },
      d1: { agility: 2, hull: 4 },
      d2: { pilot: 'wedgeantilles', tokens: { lock: ['a1'] } },
      w1: { side: 'mine', pilot: 'howlrunner', tokens: { focus: 1 } },
    });
    expect(body.attacks).toEqual([
      { by: 'a1', on: ['d1', 'd2'], range: 2 },
      { by: 'a2', on: ['d1', 'd2'], range: 2 },
      { by: 'a1', on: 'd2', range: 1 },
      { by: 'd1', on: 'a2', range: 2 },
    ]);
  });

  it('say what lies on the table: chances, faces in place of dice, damage cards', () => {
    const hash =
      '#v1/attack?a=3~f1l1,p:focus=50,p:lock=25,p:obstructed=25,p:bullseye=30,p:range=1:20_2:50_3:30,rolled=hfb,dresults=e&d=2~e2,hull=4,faceup=structural-damage.direct-hit,facedown=1,p:evade=12.5';
    expect(bodyOf(hash)).toEqual({
      ships: {
        a1: { attack: 3, tokens: { focus: 0.5, lock: { d: 0.25 } } },
        d: { agility: 2, hull: 4, tokens: { evade: { 0: 0.875, 2: 0.125 } }, faceup: ['structural-damage', 'direct-hit'], facedown: 1 },
      },
      attacks: [
        { by: 'a1', on: 'd', range: { 1: 0.2, 2: 0.5, 3: 0.3 }, obstructed: 0.25, facts: [{ bullseye: 0.3 }], rolled: ['hit', 'focus', 'blank'], defense_results: ['evade'] },
      ],
    });
    expect(addressOf(read(hash))).toBe(hash);
    const compare = '#v1/compare?i=3~f1,facedown=1,p:focus=50,results=hhc&d=2~f1,p:focus=50';
    expect(bodyOf(compare)).toMatchObject({ items: ['3 focus=50% facedown=1 results=hit,hit,crit'], defend: ['2 focus=50%'] });
    expect(addressOf(read(compare))).toBe(compare);
    expect(readAddress('#v1/attack?a=3~,p:focus=101,p:range=9:100&d=2').problems).toEqual(['p:focus=101', 'p:range=9:100']);
  });

  it('of old links still mean the same', () => {
    const folder = new URL('../links/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    expect(files.length).toBeGreaterThan(0);
    let links = 0;
    for (const file of files) {
      for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n')) {
        if (line === '' || line.startsWith('//')) continue;
        const [hash = '', ...rest] = line.split('\t');
        const question = read(hash);
        // The address that is written for it means the same, and the request is the recorded one.
        expect(JSON.stringify(askedBy(read(addressOf(question)))), hash).toBe(JSON.stringify(askedBy(question)));
        expect(JSON.stringify(askedBy(question)) ?? '', hash).toBe(rest.join('\t'));
        ++links;
      }
    }
    expect(links).toBeGreaterThan(15);
  });

  it('are written as they were read', () => {
    for (const hash of [
      '#v1/attack?a=wedgeantilles.predator~f1l1r1&a=2~f1&d=:tielnfighter~f1e1',
      '#v1/attack?a=3~l1&x=a1:d~r1,obstructed&d=2&o=kill&ap=greedy&dp=hold&engine=sample&trials=1000&seed=7',
      '#v1/advise?a=3~f1&d=2~f1&pr=hfb&prr=bh.ff&ps=lock.focus&pdr=efb&pto=defender',
      '#v1/compare?i=3~f1&i=wedgeantilles.protontorpedoes~l1,x=2&d=3~f1&by=at_least:2',
      '#v1/survive?a=3~f1&d=:t65xwing~f1&refresh=round',
      '#v1/hazards?h=proximity-mine&d=:t65xwing&case=detonates&set=speed:3&times=2',
      '#v1/battle?m=lukeskywalker.instinctiveaim&m=3~,agility=2,hull=4&t=darthvader&flight=chase&rounds=8&first=mine&mp=points&tp=focus-fire&deck=core&trials=1000',
      '#v1/battle?z=wedge+antilles,+crack+shot&against=.abc&flight=joust',
      '#v1/gauntlet?z=luke+skywalker&z=.abc&z=darth+vader&met=1.3.1&flight=range-2&p=points',
      '#v1/cards?q=reroll+attack&kind=upgrade&partly=1&show=upgrade:predator',
    ]) {
      expect(addressOf(read(hash))).toBe(hash);
    }
  });

  it('of any form are read without failing, and unknown parts are reported', () => {
    for (const hash of [
      '#v1/attack?a=',
      '#v1/attack?a=<script>alert(1)</script>&d=2',
      '#v1/attack?a=3~f&d=2',
      '#v1/attack?a=3~f999&d=2',
      '#v1/attack?a=3~zz9&d=2',
      '#v1/attack?a=99&d=2',
      '#v1/attack?x=d:a1~r1',
      '#v1/attack?a=3&x=a1:a1&d=2',
      '#v1/attack?a=3&d=2&o=nonsense',
      '#v1/attack?a=3&d=2&__proto__=1',
      '#v1/attack?a=3.constructor~%00&d=2',
      '#v2/attack?a=3&d=2',
      '#v1/unknown',
      '#%E0%A4%A',
      `#v1/attack?${'a=3&'.repeat(5000)}`,
      `#v1/attack?a=${'x'.repeat(1_000_000)}`,
    ]) {
      const { question, problems } = readAddress(hash);
      expect(problems.length, hash.slice(0, 60)).toBeGreaterThan(0);
      expect(problems.join('').length).toBeLessThan(2000);
      expect(requestOf(question), hash.slice(0, 60)).toBeDefined();
    }
  });

  it('of fights report what cannot be', () => {
    for (const hash of ['#v1/battle?rounds=0', '#v1/battle?first=nobody', '#v1/battle?mp=<b>', '#v1/battle?z=wedge&m=darthvader', `#v1/battle?${'t=darthvader&'.repeat(9)}`, '#v1/gauntlet?met=a', `#v1/gauntlet?${'z=darth+vader&'.repeat(13)}`]) {
      expect(readAddress(hash).problems.length, hash).toBe(1);
    }
  });

  it('without parts are the default question of their view', () => {
    for (const hash of ['', '#', '#v1/attack', '#v1/advise', '#v1/compare', '#v1/squad', '#v1/battle', '#v1/gauntlet', '#v1/survive', '#v1/hazards', '#v1/cards']) {
      expect(readAddress(hash).problems).toEqual([]);
    }
  });

  it('never carry anything that the page could run', () => {
    const question = readAddress('#v1/attack?a=%3Cimg%20src=x%20onerror=alert(1)%3E&d=2').question as AttackQuestion;
    expect(JSON.stringify(question)).not.toContain('<');
  });
});

describe('squads in an address', () => {
  it('survive packing and unpacking', async () => {
    const xws = { name: 'Ré<b>ds', faction: 'rebelalliance', pilots: [{ id: 'wedgeantilles', ship: 't65xwing', upgrades: { talent: ['predator'] } }] };
    const packed = await packSquad(JSON.stringify(xws, null, 2));
    expect(packed.packed.length).toBeLessThan(220);
    expect(JSON.parse((await unpackSquad(packed.packed)).text)).toEqual(xws);
    const link = 'https://yasb.app/?f=Rebel%20Alliance&d=v9ZhZ20Z1X&sn=x&obs=';
    expect((await unpackSquad((await packSquad(`${link}\n`)).packed)).text).toBe(link);
  });
  it('may be one ship in words', async () => {
    for (const text of ['pilot=wedgeantilles crackshot', '“Mauler” Mithel, predator', '3 focus lock range=1']) {
      expect((await unpackSquad((await packSquad(text)).packed)).text).toBe(text);
    }
  });
  it('may be a list of ships, or whatever the engine reads or refuses', async () => {
    for (const text of ['Rey [Finn] (61)\nPoe Dameron (39)', 'Han Solo + Predator', 'my list: https://yasb.app/?f=Rebel%20Alliance&d=v9&sn=x', '<img src=x>', '[1]', '{nonsense', '{pilots: [{id: guri}]}']) {
      expect((await unpackSquad((await packSquad(`${text}\n`)).packed)).text).toBe(text);
    }
  });
  it('are rejected if damaged, empty or too long', async () => {
    await expect(packSquad('x'.repeat(1_000_000))).rejects.toThrow();
    await expect(unpackSquad('.AAAA')).rejects.toThrow();
    await expect(unpackSquad('.!!')).rejects.toThrow();
    await expect(unpackSquad((await packSquad('')).packed)).rejects.toThrow('no squad');
    await expect(unpackSquad('javascript:alert(1)')).rejects.toThrow();
    const bomb = await packSquad(JSON.stringify('a'.repeat(90_000)));
    expect(bomb.packed.length).toBeLessThan(1000);
  });
});
