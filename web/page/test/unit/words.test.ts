import { describe, expect, it } from 'vitest';
import { objectives, policies, views } from '../../src/state/question';
import { luckWords } from '../../src/views/further/luckWords';
import { words } from '../../src/words/en';

describe('words', () => {
  it('are there for every objective, policy and view', () => {
    for (const id of objectives) {
      expect(words.objective(id) === id && id !== 'damage').toBe(false);
      expect(words.objectiveMeaning(id)).not.toBe('');
    }
    for (const id of policies) expect(words.policy(id)).not.toBe(id);
    for (const view of views) expect(words.viewQuestion(view)).toMatch(/\w/);
    expect(words.objective('kill')).toBe('the kill');
  });

  it('call the dice as expected, not what came of them', () => {
    const said = luckWords.sentence(0, 0, '0.00', '0', '1.89');
    expect(said).toBe('The dice fell about as expected: they were worth nothing either way; 0 came, 1.89 was expected.');
  });

  it('say how often no damage comes', () => {
    expect(luckWords.often('0', false, '43 %')).toBe('Before the first die: no damage in 43 % of such attacks.');
    expect(luckWords.often('1', false, '70 %')).toBe('Before the first die: 1 damage or less in 70 % of such attacks.');
  });
});
