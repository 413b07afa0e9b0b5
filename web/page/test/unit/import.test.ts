import { describe, expect, it } from 'vitest';
import { prepareFor, readAddress } from '../../src/state/address';
import { requestOf } from '../../src/state/request';
import { Server } from '../../src/engine/server';

await prepareFor('#v1/q');
const link = (verb: string, body: unknown): string => `#v1/q?verb=${verb}&body=${Buffer.from(JSON.stringify(body)).toString('base64url')}`;
const bodyOf = (verb: string, body: unknown): unknown => {
  const { question, problems } = readAddress(link(verb, body));
  expect(problems).toEqual([]);
  return requestOf(question)?.body;
};

describe('links of a server', () => {
  it('become a question of the page', () => {
    const scenario = {
      objective: 'kill',
      ships: { a1: { pilot: 'wedgeantilles', upgrades: ['predator'], tokens: { focus: 1, lock: ['d'] } }, d: { agility: 2, hull: 3, tokens: { evade: 1 } } },
      attacks: [{ by: 'a1', on: 'd', range: 1, obstructed: true, facts: ['not bullseye'] }],
    };
    expect(bodyOf('run', scenario)).toEqual(scenario);
    expect(bodyOf('run', { attack: ['3 focus lock range=1', '2 focus x2'], defend: 'ship=tielnfighter evade' })).toEqual({
      ships: {
        a1: { attack: 3, tokens: { focus: 1, lock: ['d'] } },
        a2: { attack: 2, tokens: { focus: 1 } },
        a3: { attack: 2, tokens: { focus: 1 } },
        d: { ship: 'tielnfighter', tokens: { evade: 1 } },
      },
      attacks: [{ by: 'a1', on: 'd', range: 1 }, { by: 'a2', on: 'd', range: 2 }, { by: 'a3', on: 'd', range: 2 }],
    });
    const point = { attack: 1, rolled: 'hit focus blank', rerolled: 'blank=hit', spent: 'lock', damage: { d: 1 } };
    expect(bodyOf('advise', { ...scenario, point })).toEqual({ ...scenario, point });
    expect(bodyOf('compare', { items: ['3 focus', '3 lock'], defend: ['3 focus'], by: 'hit' })).toEqual({ items: ['3 focus', '3 lock'], defend: ['3 focus'], by: 'hit' });
    expect(bodyOf('hazard', { hazard: 'proximity-mine', ships: ['hull=3'] })).toEqual({ hazard: 'proximity-mine', ships: ['hull=3'] });
  });
  it('keep chances, faces in place of dice and damage cards', () => {
    const scenario = {
      ships: {
        a1: { attack: 3, tokens: { focus: 0.5, evade: { 0: 0.2, 2: 0.8 }, lock: { d: 0.25 } } },
        d: { agility: 2, hull: 4, faceup: ['direct-hit'], facedown: 2 },
      },
      attacks: [{ by: 'a1', on: 'd', range: { 1: 0.2, 3: 0.8 }, obstructed: 0.25, facts: [{ bullseye: 0.3 }], rolled: ['hit', 'focus', 'blank'], defense_results: ['evade'] }],
    };
    expect(bodyOf('run', scenario)).toEqual(scenario);
    const specs = { attack: ['3 focus=50% lock=25% range=1:20%,2:80% obstructed=25% rolled=hit,focus,blank'], defend: ['2 evade=0:20%,2:80% facedown=1 faceup=direct-hit hull=5 rolled=evade,blank'] };
    expect(bodyOf('run', specs)).toEqual({
      ships: {
        a1: { attack: 3, tokens: { focus: 0.5, lock: { d: 0.25 } } },
        d: { agility: 2, hull: 5, tokens: { evade: { 0: 0.2, 2: 0.8 } }, faceup: ['direct-hit'], facedown: 1 },
      },
      attacks: [{ by: 'a1', on: 'd', range: { 1: 0.2, 2: 0.8 }, obstructed: 0.25, rolled: ['hit', 'focus', 'blank'], defense_rolled: ['evade', 'blank'] }],
    });
  });
  it('report the parts that the page does not support', () => {
    const ships = { a1: { attack: 3 }, d: { agility: 2 } };
    const attacks = [{ by: 'a1', on: 'd' }];
    const cases: [string, object, string][] = [
      ['run', { ships, attacks, rounds: 3 }, 'rounds'],
      ['run', { ships, attacks, budget: 5 }, 'budget'],
      ['run', { ships: { ...ships, a1: { attack: 3, conditions: ['x'] } }, attacks }, 'a1.conditions'],
      ['run', { ships, attacks: [...attacks, { by: 'nobody', on: 'd' }] }, 'attacks[1]'],
      ['run', { ships, attacks: [{ ...attacks[0], bonus: 'x' }] }, 'attacks[0].bonus'],
      ['run', { attack: 'luke skywalker focus', defend: '2' }, 'luke skywalker focus'],
      ['advise', { ships, attacks, point: { tokens: {} } }, 'point.tokens'],
      ['compare', { items: ['3 x2'], defend: '2' }, 'x2'],
      ['cards', { show: 'predator' }, 'show'],
    ];
    for (const [verb, body, part] of cases) expect(readAddress(link(verb, body)).problems).toEqual([part]);
    const mine = { hazard: 'mine', ships: ['hull=3'], situation: 'overlap', numbers: { strain: 2 } };
    expect(bodyOf('hazard', mine)).toEqual(mine);
  });
  it('are reported if damaged', () => {
    for (const hash of ['#v1/q?verb=run&body=%%%', '#v1/q', link('run', 7), link('nonsense', {}), link('run', { ships: { a: 1 }, attacks: 3 }), link('run', { attack: '3 <b>', defend: '2' })]) {
      expect(readAddress(hash).problems.length, hash).toBeGreaterThan(0);
    }
  });
});

describe('errors of a server', () => {
  it('have a message and a place, in either form', async () => {
    const answers: [number, unknown][] = [
      [400, { type: '/problems#question', title: 't', status: 400, detail: 'unknown word', path: 'attack[0]' }],
      [422, { title: 'too much', status: 422 }],
      [200, { error: { place: 'ships', message: 'missing', status: 2 } }],
    ];
    const real = globalThis.fetch;
    try {
      for (const [status, body] of answers) {
        globalThis.fetch = async () => new Response(JSON.stringify(body), { status });
        await expect(new Server('http://localhost/').ask('run', {})).rejects.toMatchObject({
          name: 'AskError',
          status: status === 422 ? 3 : 2,
          place: status === 400 ? 'attack[0]' : status === 422 ? '' : 'ships',
        });
      }
    } finally {
      globalThis.fetch = real;
    }
  });
});
