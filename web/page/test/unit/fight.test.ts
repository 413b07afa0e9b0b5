import { flights, policies, squads } from 'virtual:game-data';
import { describe, expect, it } from 'vitest';
import { addressOf, readAddress } from '../../src/state/address';
import { carry } from '../../src/state/carry';
import { battleRequest, gauntletRequest, refinements } from '../../src/state/further/fightRequest';
import { packSquad } from '../../src/state/pack';
import type { FightQuestion, GauntletQuestion, PackedSquad, SquadQuestion } from '../../src/state/question';
import { fightWords } from '../../src/views/further/fightWords';

const fight = (hash: string): FightQuestion => readAddress(hash).question as FightQuestion;

describe('fights', () => {
  it('have a request when both sides are there', async () => {
    expect(battleRequest(fight('#v1/battle?m=lukeskywalker'))).toBeUndefined();
    const mine = await packSquad(squads[0]!.text);
    const question: FightQuestion = { view: 'battle', mine: { squad: mine, ships: [] }, theirs: { squad: await packSquad('Luke Skywalker | Wedge Antilles'), ships: [] }, rules: {} };
    expect(battleRequest(question)).toEqual({ verb: 'battle', body: { mine: JSON.parse(squads[0]!.text), theirs: 'Luke Skywalker | Wedge Antilles' } });
    const again = fight(addressOf(question));
    expect(again.mine.squad).toEqual({ text: '', packed: mine.packed });
    expect(battleRequest(again)).toBeUndefined(); // not unpacked yet
  });

  it('are refined unless they say how they are computed', () => {
    const request = battleRequest(fight('#v1/battle?m=lukeskywalker&t=darthvader'))!;
    expect(refinements(request, [500, 40_000]).map(({ body }) => [body.engine, body.trials])).toEqual([['sample', 500], ['sample', 40_000], [undefined, undefined]]);
    const stated = battleRequest(fight('#v1/battle?m=lukeskywalker&t=darthvader&trials=1000'))!;
    expect(refinements(stated, [500])).toEqual([stated]);
  });

  it('take squads and pilots over from other views, and give them back', () => {
    const [rebels, empire] = ['wedge antilles', 'darth vader'].map((text): PackedSquad => ({ text, packed: text }));
    const squad: SquadQuestion = { view: 'squad', squad: rebels!, against: empire!, range: 2, rules: { cards: 'legacy' } };
    const battle = carry(squad, 'battle') as FightQuestion;
    expect([battle.mine.squad, battle.theirs.squad, battle.rules]).toEqual([rebels, empire, { cards: 'legacy' }]);
    expect((carry(battle, 'squad') as SquadQuestion).against).toEqual(empire);
    const gauntlet = carry({ ...battle, flight: 'chase' }, 'gauntlet') as GauntletQuestion;
    expect([gauntlet.lists.map((list) => list.squad), gauntlet.flight]).toEqual([[rebels, empire], 'chase']);
    // The tokens of an attack are not those that a battle begins with; bare dice are no squad.
    const pilots = carry(readAddress('#v1/attack?a=lukeskywalker.instinctiveaim~f1&a=3&d=darthvader~f1').question, 'battle');
    expect(addressOf(pilots)).toBe('#v1/battle?m=lukeskywalker.instinctiveaim&t=darthvader');
  });

  it('of a gauntlet weigh the lists only if their numbers differ', () => {
    const lists = ['luke skywalker', 'darth vader'].map((text) => ({ squad: { text, packed: text }, met: 1 }));
    expect(gauntletRequest({ view: 'gauntlet', lists, rules: {} })?.body).toEqual({ squads: ['luke skywalker', 'darth vader'] });
    expect(gauntletRequest({ view: 'gauntlet', lists: [lists[0]!, { ...lists[1]!, met: 3 }], policy: 'points', rules: {} })?.body).toEqual({ squads: ['luke skywalker', 'darth vader'], weights: [1, 3], policy: 'points' });
    expect(gauntletRequest({ view: 'gauntlet', lists: lists.slice(0, 1), rules: {} })).toBeUndefined();
  });
});

describe('the data of the game', () => {
  it('has every flight with a name and a sentence, and every policy with words', () => {
    expect(flights.length).toBeGreaterThan(5);
    for (const { id, name, meaning } of flights) expect([id, name, meaning].every((text) => text !== ''), id).toBe(true);
    for (const id of policies) expect([fightWords.policyName(id) !== '', fightWords.policyMeaning(id) !== ''], id).toEqual([true, true]);
    expect(fightWords.policyName('made-up')).toBe('Made up');
  });
});
