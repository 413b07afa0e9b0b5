import { describe, expect, it } from 'vitest';
import { afterRerolls, readPlay } from '../../src/state/play';

const tokens = ['focus', 'calculate', 'evade', 'force', 'lock', 'reinforce'];
const read = (play: string) => readPlay(play, tokens);

describe('plays', () => {
  it('are read as what is spent and rolled again', () => {
    expect(read('spend nothing')).toEqual({ spent: [], reroll: [] });
    expect(read('spend focus')).toEqual({ spent: ['focus'], reroll: [] });
    expect(read('spend the lock: reroll hit, 2 focus and blank')).toEqual({ spent: ['lock'], reroll: ['hit', 'focus', 'focus', 'blank'] });
    expect(read('spend focus, then the lock: reroll 2 hits and blank')).toEqual({ spent: ['focus', 'lock'], reroll: ['hit', 'hit', 'blank'] });
    expect(read('use predator: reroll 2 blanks')).toEqual({ spent: ['predator'], reroll: ['blank', 'blank'] });
    expect(read('spend focus and evade on blank')).toEqual({ spent: ['focus', 'evade'], reroll: [] });
    expect(read('spend 2 calculates and evade on blank')).toEqual({ spent: ['calculate', 'calculate', 'evade'], reroll: [] });
    expect(read('spend 2 forces')).toEqual({ spent: ['force', 'force'], reroll: [] });
    expect(read('spend 2 evades on focus and blank')).toEqual({ spent: ['evade', 'evade'], reroll: [] });
    expect(read('use r2d2 and heroic, then spend focus')).toEqual({ spent: ['r2d2', 'heroic', 'focus'], reroll: [] });
    expect(read('shoot at d2')).toEqual({ spent: [], reroll: [], target: 'd2' });
  });
  it('are left alone where the words are others', () => {
    expect(read('spend the lock: reroll all sevens')).toBeUndefined();
    expect(read('do what is best, whatever that is')).toBeUndefined();
    expect(read('')).toBeUndefined();
  });
  it('change the dice that are rolled again, each once', () => {
    expect(afterRerolls(['hit', 'blank', 'blank'], [['blank', 'blank'], ['blank', 'hit']])).toEqual(['hit', 'blank', 'hit']);
    expect(afterRerolls(['focus'], [['blank', 'hit']])).toEqual(['focus']);
  });
});
