/// The view of a question.
import type { CardsQuestion, FightQuestion, GauntletQuestion, HazardQuestion, HomeQuestion, LuckQuestion, PlayQuestion } from '../state/question';
import { AdviseView } from './advise';
import { AttackView } from './attack';
import { CompareView } from './compare';
import { later } from './later';
import type { ViewProps } from './props';
import { SquadView } from './squad';
import { SurviveView } from './survive';

// What cards do is said by the complete engine, which is fetched on demand, too.
const CardsView = later<ViewProps<CardsQuestion>>(() => import('./cards').then(({ CardsView: View }) => ({ View })));
const HazardsView = later<ViewProps<HazardQuestion>>(() => import('./hazards').then(({ HazardsView: View }) => ({ View })));
const BattleView = later<ViewProps<FightQuestion>>(() => import('./further/battle'));
const GauntletView = later<ViewProps<GauntletQuestion>>(() => import('./further/gauntlet'));
const HomeView = later<ViewProps<HomeQuestion>>(() => import('./further/home'));
const LuckView = later<ViewProps<LuckQuestion>>(() => import('./further/luck'));
const PlayView = later<ViewProps<PlayQuestion>>(() => import('./further/play'));

export function ViewOf(props: ViewProps) {
  switch (props.question.view) {
    case 'battle':
      return <BattleView {...props} question={props.question} />;
    case 'gauntlet':
      return <GauntletView {...props} question={props.question} />;
    case 'home':
      return <HomeView {...props} question={props.question} />;
    case 'luck':
      return <LuckView {...props} question={props.question} />;
    case 'play':
      return <PlayView {...props} question={props.question} />;
    case 'attack':
      return <AttackView {...props} question={props.question} />;
    case 'advise':
      return <AdviseView {...props} question={props.question} />;
    case 'compare':
      return <CompareView {...props} question={props.question} />;
    case 'squad':
      return <SquadView {...props} question={props.question} />;
    case 'survive':
      return <SurviveView {...props} question={props.question} />;
    case 'hazards':
      return <HazardsView {...props} question={props.question} />;
    case 'cards':
      return <CardsView {...props} question={props.question} />;
  }
}
