/// The view Survive: how many rounds or shots a ship survives.
import type { DurabilityAnswer } from '../engine/answers';
import { factsOf, namer, ScenarioEditor, setFact, shipNames } from '../parts/scenario';
import { Curves } from '../parts/curves';
import { Choose } from '../parts/controls';
import { figure, percent } from '../parts/format';
import { useLibrary } from '../parts/library';
import { useOwnCards } from '../parts/own';
import { RuleFields } from '../parts/rules';
import { Share } from '../parts/share';
import { Numbers, Status, Wrong } from '../parts/status';
import { CaveatLines } from '../parts/caveats';
import { useAnswer } from '../parts/use';
import { cardIdsIn } from '../state/cardIds';
import { roles, type Scenario, type SurviveQuestion } from '../state/question';
import { commandOf, requestOf } from '../state/request';
import { words } from '../words/en';
import { viewWords } from '../words/views';
import type { ViewProps } from './props';

/// Cuts a curve where it is practically 1, and to the width of the chart.
function cut(cdf: number[]): number[] {
  const end = cdf.findIndex((chance) => chance >= 0.9995);
  return cdf.slice(0, Math.min(end < 0 ? cdf.length : end + 1, 31));
}

export function View({ question, engine, onChange }: ViewProps<SurviveQuestion>) {
  const library = useLibrary();
  const own = useOwnCards();
  const { scenario } = question;
  const cards = own.textsFor(cardIdsIn(question));
  const asked = useAnswer(engine, requestOf(question, cards), 30);
  const answer = asked.answer?.data as DurabilityAnswer | undefined;
  const names = shipNames(library, scenario);
  const { victims } = roles(scenario);
  const name = names.get(victims[0]?.id ?? '') ?? '';
  const set = (next: Scenario): void => onChange({ ...question, scenario: next });
  const several = scenario.shots.length > 1;
  const counted = answer && answer.rounds && several ? { unit: 'round' as const, mean: answer.rounds.mean, quantiles: answer.rounds.quantiles, cdf: answer.rounds.cdf } : answer && { unit: 'shot' as const, mean: answer.mean_shots, quantiles: answer.quantiles, cdf: answer.cdf };
  const curve = counted ? cut(counted.cdf) : [];
  const refresh = question.refresh ?? (several ? 'round' : 'shot');
  const options = (several ? (['round', 'never'] as const) : (['shot', 'round', 'never'] as const)).map((value) => ({ value, label: viewWords.refresh(value) }));
  const sentence = !answer || !counted ? undefined : !answer.destructible ? viewWords.neverDestroyed(name) : viewWords.lives(name, known(counted.mean), counted.unit);
  const title = viewWords.surviveTitle(words.attackTitle(scenario.shots.map((shot) => names.get(shot.by) ?? ''), [name]));
  return (
    <main class="two surviveView" aria-busy={asked.busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('survive')}</h1>
        <div class={asked.busy && asked.slow ? 'stale' : ''}>
          {asked.error ? <Wrong error={asked.error} rules={scenario.rules} nameOf={namer(names, scenario)} /> : <p class="sentence">{sentence ?? '…'}</p>}
          {counted && answer?.destructible && (
            <p class="why">{viewWords.quantileLine(counted.unit, counted.quantiles['0.05'] ?? null, counted.quantiles['0.5'] ?? null, counted.quantiles['0.95'] ?? null)}</p>
          )}
        </div>
      </section>
      <section class="question" aria-label={words.question}>
        <ScenarioEditor plain scenario={scenario} onChange={set} caveats={answer} />
        <div class="card rulesCard">
          <Choose label={viewWords.refreshed} value={refresh} options={options} onChange={(value) => onChange({ ...question, refresh: value })} />
          <RuleFields rules={scenario.rules} onChange={(rules) => set({ ...scenario, rules })} />
        </div>
      </section>
      <section class={`details ${asked.busy && asked.slow ? 'stale' : ''}`} aria-label={words.details}>
        <Status asked={asked} />
        {answer && counted && (
          <>
            <Curves from={1} title={viewWords.goneBy(counted.unit)} axis={viewWords.goneBy(counted.unit)} curves={[{ name, values: curve }]} />
            <Numbers
              open
              caption={viewWords.goneBy(counted.unit)}
              head={[viewWords.unit(counted.unit), viewWords.goneByThen, viewWords.justThen(counted.unit)]}
              rows={curve.slice(1, 16).map((chance, i) => [i + 1, percent(chance), percent(chance - (curve[i] ?? 0))])}
            />
            {answer.rounds && several && <p class="hint">{viewWords.inShots(known(answer.mean_shots))}</p>}
            <CaveatLines nameOf={namer(names, scenario)} caveats={answer} rules={scenario.rules} facts={factsOf(scenario)} onFact={(fact, value) => set(setFact(scenario, undefined, fact, value))} />
            <p class="hint">{viewWords.surviveHint}</p>
            <Share title={title} lines={() => [sentence ?? '', ...curve.slice(1, 9).map((chance, i) => `${viewWords.unit(counted.unit)} ${i + 1}: ${percent(chance)}`)]} json={asked.answer?.text} command={commandOf(question, cards)} />
          </>
        )}
      </section>
    </main>
  );
}

const known = (value: number | null): string => (value === null ? '∞' : figure(value));
