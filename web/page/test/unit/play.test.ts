import { describe, expect, it } from 'vitest';
import { afterRerolls } from '../../src/state/play';

describe('rerolls', () => {
it('change each die once', () => {
    expect(afterRerolls(['hit', 'blank', 'blank'], [['blank', 'blank'], ['blank', 'hit']])).toEqual(['hit', 'blank', 'hit']);
    expect(afterRerolls(['focus'], [['blank', 'hit']])).toEqual(['focus']);
  });
});
