import { describe, expect, it } from 'vitest';
import type { SquadPilot } from '../../src/engine/answers';
import { bestWorth } from '../../src/views/squad';
import { viewWords } from '../../src/words/views';

/// A pilot whose upgrade adds `usual` damage in the usual case and `other` with a weapon of its own, and costs a point.
const pilot = (id: string, usual: number, other: number): SquadPilot => {
  const attacks = [[usual, 'primary'], [other, 'torpedoes']].map(([damage, weapon]) => ({ weapon, range: 2, tokens: 'lock', damage, damage_per_point: damage }));
  return { name: id, worth: [{ id, damage: usual, damage_per_point: usual, attacks }] } as unknown as SquadPilot;
};

describe('the best upgrade of a squad', () => {
  it('is the best one of the usual case, which gains less than another does elsewhere', () => {
    expect(bestWorth([pilot('elsewhere', 0, 0.5), pilot('usually', 0.1, 0), pilot('more', 0.2, 0)])).toMatchObject({ id: 'more', damage: 0.2 });
  });

  it('is otherwise one whose weapon is named', () => {
    const best = bestWorth([pilot('elsewhere', 0, 0.5), pilot('nowhere', 0, 0), pilot('loses', -0.1, 0.9)]);
    expect(best).toMatchObject({ id: 'elsewhere', damage: 0.5, attack: { weapon: 'torpedoes' } });
    expect(viewWords.bestWorth('Homing', 'Wedge', 'torpedoes, lock', '+0.50', '+0.500')).toContain('Homing of Wedge (torpedoes, lock), +0.50 an attack');
    expect(viewWords.bestWorth('Homing', 'Wedge', '', '+0.50', '+0.500')).toContain('Homing of Wedge, +0.50 an attack');
    expect(bestWorth([pilot('nowhere', 0, 0)])).toBeUndefined();
  });
});
