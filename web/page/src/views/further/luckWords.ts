/// The texts of the view Luck. To translate the page, translate these too.

const degrees: Record<number, (lucky: boolean) => string> = {
  0: () => 'The dice fell about as expected',
  1: (lucky) => (lucky ? 'A little lucky' : 'A little unlucky'),
  2: (lucky) => (lucky ? 'Lucky' : 'Unlucky'),
  3: (lucky) => (lucky ? 'Very lucky' : 'Very unlucky'),
};
const parts: Record<string, string> = {
  attack_roll: 'luck of the attack roll',
  attack_rerolls: 'luck of attack rerolls',
  defense_roll: 'luck of the defense roll',
  defense_rerolls: 'luck of defense rerolls',
  other_dice: 'luck of other dice',
  damage_cards: 'luck of damage cards',
};

export const luckWords = {
  begin: 'Tap the dice that came up, or enter the damage.',
  title: (attack: string): string => `How lucky: ${attack}`,
  sentence: (degree: number, luck: number, size: string, result: string, expected: string): string => {
    const change = Math.abs(luck) < 0.005 ? 'were worth nothing either way' : `made it ${size} damage ${luck > 0 ? 'better' : 'worse'} for you`;
    return `${degrees[degree]!(luck > 0)}: ${degree === 0 ? 'they' : 'the dice'} ${change}; ${result} came, ${expected} was expected.`;
  },
  /// How rare the result is: the chance of one at least as far from the mean on its side.
  often: (result: string, above: boolean, chance: string): string => `Before the first die: ${result === '0' ? 'no damage' : `${result} damage or ${above ? 'more' : 'less'}`} in ${chance} of such attacks.`,
  facing: (dice: string, chance: string, damage: number): string =>
    damage > 0 ? `Against ${dice}: ${damage} or more gets through in ${chance}.` : `Against ${dice}: nothing was certain to get through; how much did is left to the defense dice.`,
  decided: (mine: number, theirs: number, my: string, their: string): string => {
    const said = [
      ...(Math.abs(mine) > 0.005 ? [`your decisions ${mine < 0 ? 'cost you' : 'brought you'} ${my}`] : []),
      ...(Math.abs(theirs) > 0.005 ? [`those of the other ${theirs < 0 ? 'cost you' : 'brought you'} ${their}`] : []),
    ].join(', ');
    return said && `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
  },
  whose: 'Whose luck?',
  side: (side: string): string => (side === 'attacker' ? 'the attacker’s' : 'the defender’s'),
  damage: 'damage suffered',
  byTheDice: 'by the dice',
  whatSpent: (side: string): string => `What did the ${side} do? If you say nothing, the best play that fits counts.`,
  chart: 'Damage of this attack, with best play',
  came: 'came',
  expectedMark: 'expected',
  sum: (me: string): string => `How it adds up, from the point of view of the ${me}`,
  what: 'part',
  expected: 'to be expected, with best play',
  part: (kind: string): string => parts[kind] ?? kind,
  untold: 'not reported: the mean of all that fits',
  yourDecisions: 'your decisions',
  theirDecisions: 'the other’s decisions',
  result: 'result',
  decisions: 'What decisions cost',
  decision: 'decision',
  better: 'better',
};
