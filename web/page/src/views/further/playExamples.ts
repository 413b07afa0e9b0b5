/// Examples for the view Play.
import { newGame, type Game } from '../../state/further/game';

const ship = (name: string, spec: string): { name: string; spec: string } => ({ name, spec });

/// Four against four.
export const exampleGame = (players: [string, string]): Game =>
  newGame(players, [
    [
      ship('wedge', 'pilot=wedgeantilles ship=t65xwing predator'),
      ship('luke', 'pilot=lukeskywalker ship=t65xwing protontorpedoes'),
      ship('red', 'pilot=redsquadronveteran ship=t65xwing crackshot'),
      ship('blue', 'pilot=bluesquadronescort ship=t65xwing'),
    ],
    [
      ship('vader', 'pilot=darthvader ship=tieadvancedx1'),
      ship('soontir', 'pilot=soontirfel ship=tieininterceptor'),
      ship('black', 'pilot=blacksquadronace ship=tielnfighter crackshot'),
      ship('academy', 'pilot=academypilot ship=tielnfighter'),
    ],
  ]);

/// A game that is over, as written at the table.
export const exampleLog = `# A short game
player Ann
luke: pilot=lukeskywalker
wedge: ship=t65xwing pilot=wedgeantilles
player Bob
vader: pilot=darthvader ship=tieadvancedx1
academy: ship=tielnfighter

round 1: luke focus lock=vader; vader 2 focus; wedge focus; academy evade
luke > vader r2: 3 dice hit focus blank; lock blank -> crit; focus | 3 dice evade focus blank; focus = 1
vader > luke r2: 2 hit | blank focus = 2
wedge > academy r1: 4 dice hit hit focus blank | evade blank; evade
academy > wedge r1: hit blank focus | ? = 1

round 2: luke focus
luke > academy r1: hit crit blank focus; focus | blank blank evade = 2
vader > luke r3 obstructed: hit crit | evade evade blank focus
`;
