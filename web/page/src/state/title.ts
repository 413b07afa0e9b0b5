/// The title of a question in the list of recent ones. It works from ids alone, so that it needs no engine.
import { fightTitle } from './fight';
import { roles, type Scenario, type Question, type Ship } from './question';
import { words } from '../words/en';

type NameOf = (ship: Ship, role: 'attacker' | 'defender') => string;

export function titleOf(question: Question, nameOf: NameOf): string {
  const attacks = (asked: Scenario): string => {
    const ships = asked.shots.flatMap((shot) => asked.ships.filter((ship) => ship.id === shot.by));
    return words.attackTitle(ships.map((ship) => nameOf(ship, 'attacker')), roles(asked).victims.map((ship) => nameOf(ship, 'defender')));
  };
  const view = words.view(question.view);
  switch (question.view) {
    case 'attack':
      return attacks(question.scenario);
    case 'advise':
    case 'luck':
    case 'survive':
      return `${view}: ${attacks(question.scenario)}`;
    case 'compare':
      return `${view}: ${question.items.map((item) => nameOf(item.ship, 'attacker')).join(', ')}`;
    case 'battle':
    case 'gauntlet':
      return fightTitle(question, nameOf, view);
    case 'home':
    case 'play':
    case 'squad':
      return view;
    case 'hazards':
      return `${view}: ${question.hazard}`;
    case 'cards':
      return `${view}: ${question.show?.split(':')[1] ?? question.search}`;
  }
}
