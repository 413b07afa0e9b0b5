import { describe, expect, it } from 'vitest';
import { objectives, policies, views } from '../../src/state/question';
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
});
