import { describe, expect, it } from 'vitest';
import { afterRerolls } from '../../src/state/play';

describe('plays', () => {
  it('change the dice that are rolled again, each once', () => {
    expect(afterRerolls(['hit', 'blank', 'blank'], [['blank', 'blank'], ['blank', 'hit']])).toEqual(['hit', 'blank', 'hit']);
    expect(afterRerolls(['focus'], [['blank', 'hit']])).toEqual(['focus']);
  });
});
