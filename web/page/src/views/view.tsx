/// The view of a question.
import type {
  AdviseQuestion, CardsQuestion, CompareQuestion, FightQuestion, GauntletQuestion, HazardQuestion, HomeQuestion, LuckQuestion, PlayQuestion, SquadQuestion,
  SurviveQuestion,
} from '../state/question';
import { AttackView } from './attack';
import { later } from './later';
import type { ViewProps } from './props';

// All but the first view are fetched on demand.
const AdviseView = later<ViewProps<AdviseQuestion>>(() => import('./advise'));
const CompareView = later<ViewProps<CompareQuestion>>(() => import('./compare'));
const SquadView = later<ViewProps<SquadQuestion>>(() => import('./squad'));
const SurviveView = later<ViewProps<SurviveQuestion>>(() => import('./survive'));
const CardsView = later<ViewProps<CardsQuestion>>(() => import('./cards'));
const HazardsView = later<ViewProps<HazardQuestion>>(() => import('./hazards'));
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
