import type { Question, Ship } from './question';

/// The ids of the pilots and upgrades in a question.
export function cardIdsIn(question: Question): string[] {
  const of = (ships: Ship[]): string[] => ships.flatMap((ship) => [...ship.upgrades, ...(ship.pilot ? [ship.pilot] : [])]);
  switch (question.view) {
    case 'attack':
    case 'advise':
    case 'luck':
    case 'survive':
      return of(question.scenario.ships);
    case 'compare':
      return [...of(question.items.map((item) => item.ship)), ...of(question.targets)];
    case 'hazards':
      return of(question.ships);
    case 'battle':
      return of([...question.mine.ships, ...question.theirs.ships]);
    case 'gauntlet':
    case 'home':
    case 'play':
    case 'squad':
    case 'cards':
      return [];
  }
}
