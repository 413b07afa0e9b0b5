import { describe, expect, it } from 'vitest';
import {
  adviseBody, attackBody, fighterOf, isGone, logOf, measured, namesFor, newAttack, newGame, nextRound, pointOf, readLog, record, roundLine, specNow, type Attack, type Game,
} from '../../src/state/further/game';
import { readGame, step, stepBack, writeGame } from '../../src/state/further/gameStore';

const fresh = (): Game => {
  const game = newGame(['Ann', 'Bob'], [
    [{ name: 'luke', spec: 'pilot=lukeskywalker ship=t65xwing protontorpedoes' }],
    [{ name: 'vader', spec: 'pilot=darthvader ship=tieadvancedx1' }, { name: 'ln', spec: 'ship=tielnfighter' }],
  ]);
  return {
    ...game,
    fighters: [
      { ...measured(game.fighters[0]!, 4, 2, { force: { most: 2, recovers: 1 }, protontorpedoes: { most: 2, recovers: 0 } }), tokens: { focus: 1, strain: 1 }, locks: ['vader'] },
      { ...measured(game.fighters[1]!, 3, 2, { force: { most: 3, recovers: 1 } }), tokens: { focus: 2 } },
      measured(game.fighters[2]!, 3, 0, {}),
    ],
  };
};
const shot: Attack = {
  ...newAttack('luke'),
  on: 'vader',
  rolled: ['hit', 'focus', 'blank'],
  steps: [{ spent: ['lock'], from: ['blank'], to: ['crit'] }, { spent: ['focus'], from: [], to: [] }],
  decided: true,
  defenseRolled: ['evade', 'focus', 'blank'],
  defenseSteps: [{ spent: ['focus'], from: [], to: [] }],
  defended: true,
};

describe('a game', () => {
  it('writes the log of an attack, and carries tokens and damage over', () => {
    const next = record({ ...fresh(), attack: shot }, 1);
    expect(next.lines).toEqual([
      'round 1: luke focus strain lock=vader; vader 2 focus',
      'luke (focus strain lock) > vader (2 focus) r2 weapon=primary: hit focus blank; lock blank -> crit; focus | evade focus blank; focus = 1',
    ]);
    expect(fighterOf(next, 'luke')).toMatchObject({ tokens: { focus: 0, strain: 1 }, locks: [], hasShot: true });
    expect(fighterOf(next, 'vader')).toMatchObject({ tokens: { focus: 1 }, damage: 1 });
    expect(next.attack).toBeUndefined();
    expect(logOf(next).split('\n').slice(0, 4)).toEqual(['player Ann', 'luke: pilot=lukeskywalker ship=t65xwing protontorpedoes', 'player Bob', 'vader: pilot=darthvader ship=tieadvancedx1']);
  });

  it('marks what was not told', () => {
    const { damage: _none, ...untold } = { ...newAttack('ln'), on: 'luke', rolled: ['hit', 'blank'], damage: 1 };
    expect(record({ ...fresh(), attack: untold }, 1).lines[1]).toBe('ln (none) > luke (focus strain) r2: hit blank; ? | ? = 1');
    // Strain goes once the ship has defended.
    expect(fighterOf(record({ ...fresh(), attack: untold }, 1), 'luke')!.tokens.strain).toBe(0);
  });

  it('ends a round by the rules', () => {
    let game = record({ ...fresh(), attack: { ...shot, steps: [{ spent: ['force', 'force'], from: [], to: [] }], weapon: 'protontorpedoes' } }, 5);
    expect(isGone(fighterOf(game, 'vader')!)).toBe(true);
    expect(fighterOf(game, 'vader')!.destroyedBy).toBe('luke');
    expect(fighterOf(game, 'luke')!.charges).toMatchObject({ force: { left: 0 }, protontorpedoes: { left: 1 } });
    game = nextRound(game);
    expect(fighterOf(game, 'luke')).toMatchObject({ tokens: { strain: 1 }, locks: [], hasShot: false, charges: { force: { left: 1 }, protontorpedoes: { left: 1 } } });
    expect(roundLine(game)).toBe('round 2: luke strain');
  });

  it('asks with the tokens and the damage of the moment', () => {
    const game = fresh();
    game.fighters[1]!.damage = 3;
    const attack = { ...newAttack('luke'), on: 'vader', range: 1, facts: ['bullseye'] };
    expect(attackBody(game, attack, true)).toEqual({
      attack: ['pilot=lukeskywalker ship=t65xwing protontorpedoes focus strain force=2 lock range=1 weapon=primary bullseye'],
      defend: ['pilot=darthvader ship=tieadvancedx1 focus=2 force=3 hull=2 shields=0'],
    });
    expect(adviseBody(game, { ...attack, rolled: ['hit'] })).toMatchObject({ point: { attack: 1, rolled: 'hit', damage: { d: 3 } } });
    expect(pointOf(shot)).toMatchObject({ rerolled: [['blank', 'crit']], spent: ['lock', 'focus'], toMove: 'attacker' });
    expect(pointOf({ ...shot, defended: false }).toMove).toBeUndefined();
    expect(pointOf({ ...shot, defenseRolled: [], defended: false }).toMove).toBe('defender');
    // A card without charges is left out.
    game.fighters[0]!.charges.protontorpedoes!.left = 0;
    expect(specNow(game.fighters[0]!, 'ln')).toBe('pilot=lukeskywalker ship=t65xwing focus strain force=2');
  });

  it('names the ships of a squad as the program does', () => {
    expect(namesFor(['academypilot', 'academypilot', 'darthvader', 'academypilot'], ['darthvader'])).toEqual(['academypilot', 'academypilot-2', 'darthvader-2', 'academypilot-3']);
  });
});

describe('a log', () => {
  it('written by the page is read again', () => {
    let game = record({ ...fresh(), attack: shot }, 1);
    game = nextRound(game);
    game.fighters[2]!.tokens = { evade: 1 };
    game = record({ ...game, attack: { ...newAttack('ln'), on: 'luke', range: 1, rolled: ['hit', 'hit', 'crit'], decided: true } }, 2);
    const read = readLog(logOf(game), new Map([[8, 1], [10, 2]]));
    expect(read.players).toEqual(['Ann', 'Bob']);
    expect(read.head).toEqual(game.head);
    expect(read.lines).toEqual(game.lines);
    expect(read.round).toBe(2);
    for (const fighter of game.fighters) {
      const same = fighterOf(read, fighter.name)!;
      const some = (tokens: Record<string, number>): [string, number][] => Object.entries(tokens).filter(([, count]) => count > 0);
      expect(some(same.tokens)).toEqual(some(fighter.tokens));
      expect([same.damage, same.locks, same.hasShot, same.spec]).toEqual([fighter.damage, fighter.locks, fighter.hasShot, fighter.spec]);
    }
  });

  it('of people is read as they write', () => {
    const text = [
      '# last night',
      'rules second-edition',
      'Player Ann # first',
      'luke: pilot=lukeskywalker focus',
      'squad Wedge Antilles / Academy Pilot',
      'player Bob',
      'vader: pilot=darthvader',
      '',
      'round 1: luke focus lock=vader; vad 2 focus, evade',
      'luke -> darthvader range 2: 3 dice hit focus blank; lock blank -> crit, force | 3 dice evade focus blank; 2 focus = 1 damage',
      'vader damage 3',
      'round 2',
      'vader (focus) > wedge r1 = miss',
    ].join('\n');
    const game = readLog(text, new Map([[10, 1], [13, 0]]), [[{ name: 'wedgeantilles', spec: 'pilot=wedgeantilles' }, { name: 'academypilot', spec: 'pilot=academypilot' }]]);
    expect(game.fighters.map(({ name, player }) => [name, player])).toEqual([['luke', 0], ['wedgeantilles', 0], ['academypilot', 0], ['vader', 1]]);
    expect(fighterOf(game, 'vader')).toMatchObject({ damage: 3, tokens: { focus: 1 }, hasShot: true });
    expect(fighterOf(game, 'luke')).toMatchObject({ spec: 'pilot=lukeskywalker', returns: { focus: 1 }, locks: [], hasShot: false, tokens: { focus: 1 } });
    expect(game.round).toBe(2);
    const luke = measured(fighterOf(game, 'luke')!, 4, 2, { force: { most: 2, recovers: 1 } });
    expect(luke.charges.force!.left).toBe(2); // spent once, recovered once
    expect(game.head.length + game.lines.length).toBe(text.split('\n').length - 1);
  });

  it('of nonsense is an empty game', () => {
    for (const text of ['', '>', 'round', 'a > b: c | d = e', ':::\n>>>\nround x: y', 'player\nsquad']) expect(readLog(text, new Map()).fighters.length).toBeLessThan(2);
  });
});

describe('the store', () => {
  const store = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { text?: string } => ({
    getItem() {
      return this.text ?? null;
    },
    setItem(_key: string, text: string) {
      this.text = text;
    },
    removeItem() {
      delete this.text;
    },
  });

  it('keeps a game with the steps to take back', () => {
    const kept = { game: fresh(), past: [] };
    const next = step(kept, nextRound(kept.game));
    const into = store();
    expect(writeGame(into, next)).toBe(true);
    expect(readGame(into)).toEqual(next);
    expect(stepBack(next)).toEqual(kept);
    expect(stepBack(kept)).toBe(kept);
  });

  it('holds whatever others have left there', () => {
    for (const text of ['', '{', 'null', '[]', '{"game":{}}', '{"game":{"players":[],"head":[],"lines":[],"fighters":[null],"round":1},"past":[]}']) {
      const into = store();
      into.setItem('salvo.game', text);
      expect(readGame(into)).toBeUndefined();
    }
  });
});
