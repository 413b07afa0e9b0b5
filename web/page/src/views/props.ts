import type { Engine } from '../engine/engine';
import type { Question } from '../state/question';

/// What every view is given.
export interface ViewProps<Q extends Question = Question> {
  question: Q;
  engine: Engine;
  /// Called when the user edits the question. Edits that take a while pass a function of the question as it is by then.
  onChange(next: Question | ((now: Q) => Question)): void;
  /// Called to show an unrelated question.
  onShow: (question: Question) => void;
}
