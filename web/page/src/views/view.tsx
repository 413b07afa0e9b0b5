import type { Engine } from '../engine/engine';
import type { Question } from '../state/question';
import { AdviseView } from './advise';
import { AttackView } from './attack';
import { CardsView } from './cards';
import { CompareView } from './compare';
import { HazardsView } from './hazards';
import { SquadView } from './squad';
import { SurviveView } from './survive';

export interface ViewProps<Q extends Question = Question> {
  question: Q;
  engine: Engine;
  /// Called when the user edits the question.
  onChange: (question: Question) => void;
  /// Called to show an unrelated question.
  onShow: (question: Question) => void;
}

export function ViewOf(props: ViewProps) {
  switch (props.question.view) {
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
