/// The view Luck: how lucky was this attack, and what did the decisions change?
import { useEffect, useState } from 'preact/hooks';
import type { LuckAnswer } from 'salvo-engine';
import type { AdviseAnswer, Play } from '../../engine/answers';
import { damageThrough, DiceOnTable, hits, Plays, sayer, sides, useDice, whose, type Pending } from '../../parts/attackInPlay';
import { capital } from '../../parts/sentence';
import { factsOf, namer, ScenarioEditor, setFact, shipNames } from '../../parts/scenario';
import { CaveatLines } from '../../parts/caveats';
import { Choose, Stepper } from '../../parts/controls';
import { figure, percent } from '../../parts/format';
import { publishHeadline } from '../../parts/headline';
import { useLibrary } from '../../parts/library';
import { useOwnCards } from '../../parts/own';
import { RuleFields } from '../../parts/rules';
import { Share } from '../../parts/share';
import { Numbers, Status, Wrong } from '../../parts/status';
import { useAnswer } from '../../parts/use';
import { cardIdsIn } from '../../state/cardIds';
import { newPoint, type Scenario, type LuckQuestion, type Point, type Side } from '../../state/question';
import { commandOf, requestOf, type Request } from '../../state/request';
import { words } from '../../words/en';
import { viewWords } from '../../words/views';
import type { ViewProps } from '../props';
import { ResultChart } from './resultChart';
import { luckWords } from './luckWords';
import './luck.css';

/// The word that says that a side spent nothing. Without it, what the side spent is unknown.
const nothing = 'nothing';

/// The luck and the costs of decisions, seen from one side.
export function seenFrom(answer: LuckAnswer, me: Side): { luck: number; mine: number; theirs: number } {
  const sign = me === 'attacker' ? 1 : -1;
  const costs = (by: Side): number =>
    answer.decisions.filter((decision) => decision.by === by).reduce((sum, { damage, probability }) => sum + damage * probability, 0);
  const other = me === 'attacker' ? 'defender' : 'attacker';
  return { luck: sign * answer.luck.damage, mine: sign * costs(me), theirs: sign * costs(other) };
}

/// How far the luck is from the usual, in standard deviations of the damage: 0 usual, 1 a little, 2 clearly, 3 very.
export function degreeOf(answer: LuckAnswer): 0 | 1 | 2 | 3 {
  const { pmf } = answer.with_best_play;
  const mean = pmf.reduce((sum, chance, k) => sum + chance * k, 0);
  const deviation = Math.sqrt(pmf.reduce((sum, chance, k) => sum + chance * (k - mean) ** 2, 0));
  const far = Math.abs(answer.luck.damage) / Math.max(deviation, 1e-9);
  return Math.abs(answer.luck.damage) < 0.005 || far < 0.25 ? 0 : far < 0.8 ? 1 : far < 1.8 ? 2 : 3;
}

export function View({ question, engine, onChange }: ViewProps<LuckQuestion>) {
  const library = useLibrary();
  const own = useOwnCards();
  const { scenario, point, me } = question;
  const cards = own.textsFor(cardIdsIn(question));
  const names = shipNames(library, scenario);
  const nameOf = namer(names, scenario);
  const say = sayer(library, scenario.rules, nameOf);
  const [pending, setPending] = useState<Pending | undefined>();
  useEffect(publishHeadline, []);
  useEffect(() => setPending(undefined), [scenario, point.attack, point.rolled.length, point.defenseRolled.length]);

  const { expected, partly, complete, ...dice } = useDice(engine, scenario, point, cards, pending);
  const told = point.rolled.length > 0 || point.defenseRolled.length > 0 || question.damage !== undefined;
  const asked = useAnswer(engine, complete && told ? requestOf(question, cards) : undefined);
  const answer = complete && told ? (asked.answer?.data as LuckAnswer | undefined) : undefined;

  // Who decides next, and the plays to tap. A side that has said what it spent has decided.
  const mover: Side | undefined =
    point.rolled.length === 0 ? undefined : point.spent.length === 0 && point.defenseRolled.length === 0 ? 'attacker' : point.defenseRolled.length > 0 && point.defenseSpent.length === 0 ? 'defender' : undefined;
  const base = requestOf({ view: 'advise', scenario, point: withoutNothing({ ...point, ...(mover === 'defender' ? { toMove: mover } : {}) }) }, cards) as Request;
  const plays = useAnswer(engine, complete && mover ? base : undefined);
  const options = complete && mover ? (plays.answer?.data as AdviseAnswer | undefined) : undefined;
  // What these attack dice let through, before the defense dice.
  const facing = useAnswer(
    engine,
    complete && point.rolled.length > 0 && answer
      ? (requestOf({ view: 'advise', scenario, point: withoutNothing({ ...point, defenseRolled: [], defenseRerolled: [], defenseSpent: [], toMove: 'defender' }) }, cards) as Request)
      : undefined,
  );
  const through = facing.answer && answer ? damageThrough(facing.answer.data as AdviseAnswer, hits(point)) : undefined;

  const setScenario = (next: Scenario): void => onChange({ ...question, scenario: next });
  const set = (next: Point, damage = question.damage): void => {
    const { damage: _old, ...rest } = question;
    onChange({ ...rest, point: next, ...(damage === undefined ? {} : { damage }) });
  };
  const take = ({ spends, rerolls }: Play, side: Side): void => {
    if (rerolls.length > 0) return setPending({ side, spent: spends, reroll: rerolls });
    const key = sides[side].spent;
    const spent = [...point[key], ...spends];
    set({ ...point, [key]: spent.length > 0 ? spent : [nothing] });
  };
  const rollAgain = (results: string[]): void => {
    if (!pending) return;
    const { rerolled, spent } = sides[pending.side];
    const pairs = pending.reroll.map((from, i): [string, string] => [from, results[i]!]);
    set({ ...point, [rerolled]: [...point[rerolled], ...pairs], [spent]: [...point[spent], ...pending.spent] });
    setPending(undefined);
  };
  const rolled = (side: Side, faces: string[]): void =>
    set(
      side === 'attacker'
        ? { ...newPoint(point.attack), damage: point.damage, rolled: faces }
        : { ...point, defenseRolled: faces, defenseRerolled: [], defenseSpent: [] },
    );

  const shot = scenario.shots[point.attack - 1];
  const seen = answer && seenFrom(answer, me);
  const came = answer && figure(answer.result.damage, Number.isInteger(answer.result.damage) ? 0 : 2);
  const above = answer !== undefined && answer.result.damage > answer.expected.damage;
  const sentence = answer && seen && luckWords.sentence(degreeOf(answer), seen.luck, figure(Math.abs(seen.luck)), came!, figure(answer.expected.damage));
  const why = answer && luckWords.often(came!, above, percent(above ? answer.with_best_play.at_least : answer.with_best_play.at_most));
  const result = answer ? Math.round(answer.result.damage) : 0;
  const facingLine = through && answer && Math.abs(result - answer.result.damage) < 1e-9 ? luckWords.facing(point.rolled.join(', '), percent(through.atLeast[result] ?? 0), result) : undefined;
  const decided = seen && luckWords.decided(seen.mine, seen.theirs, figure(Math.abs(seen.mine)), figure(Math.abs(seen.theirs)));
  const title = luckWords.title(words.attackTitle([names.get(shot?.by ?? '') ?? ''], (shot?.on ?? []).map((id) => names.get(id) ?? '')));
  const lines = [sentence, decided, why, facingLine].filter((line) => line !== undefined && line !== '');
  return (
    <main class="two adviseView luckView" aria-busy={asked.busy || dice.busy || plays.busy || facing.busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('luck')}</h1>
        <div class={asked.busy && asked.slow ? 'stale' : ''}>
          {pending ? (
            <p class="sentence">{viewWords.rollNow(pending.reroll)}</p>
          ) : !complete ? (
            <p class="sentence">{viewWords.moreDice((expected.attacker ?? 0) - point.rolled.length, (expected.defender ?? 0) - point.defenseRolled.length, partly('attacker'))}</p>
          ) : !told ? (
            <p class="sentence">{luckWords.begin}</p>
          ) : asked.error ? (
            <Wrong error={asked.error} rules={scenario.rules} nameOf={nameOf} />
          ) : (
            <>
              <p class="sentence">{sentence ?? '…'}</p>
              {lines.slice(1).map((line) => <p class="why" key={line}>{line}</p>)}
            </>
          )}
        </div>
      </section>
      <section class="card tableCard" aria-label={viewWords.diceTable}>
        <Choose
          label={luckWords.whose}
          value={me}
          options={(['attacker', 'defender'] as const).map((value) => ({ value, label: luckWords.side(value) }))}
          onChange={(value) => onChange({ ...question, me: value })}
        />
        {scenario.shots.length > 1 && (
          <Choose
            label={viewWords.whichAttack}
            value={point.attack}
            options={scenario.shots.map((other, i) => ({ value: i + 1, label: String(i + 1), title: `${names.get(other.by) ?? ''} → ${other.on.map((id) => names.get(id)).join(', ')}` }))}
            onChange={(next) => set({ ...newPoint(next), damage: point.damage })}
          />
        )}
        {(['attacker', 'defender'] as const).map((side) => (
          <DiceOnTable
            key={side}
            side={side}
            who={whose(scenario, side === 'attacker' ? [shot?.by ?? ''] : (shot?.on ?? []), names)}
            point={point}
            expected={expected[side]}
            pending={pending?.side === side ? pending : undefined}
            onRolled={(faces) => rolled(side, faces)}
            onAgain={rollAgain}
            onCancel={() => setPending(undefined)}
          />
        ))}
        <div class="steppers">
          <Stepper label={luckWords.damage} value={question.damage} unset={luckWords.byTheDice} onChange={(damage) => {
            const { damage: _old, ...rest } = question;
            onChange(damage === undefined ? rest : { ...rest, damage });
          }} />
        </div>
        {told && (
          <p class="adders">
            <button
              type="button"
              class="quiet"
              onClick={() => {
                const { damage: _old, ...rest } = question;
                setPending(undefined);
                onChange({ ...rest, point: { ...newPoint(point.attack), damage: point.damage } });
              }}
            >
              {viewWords.newRoll}
            </button>
          </p>
        )}
      </section>
      <section class="question" aria-label={words.question}>
        <ScenarioEditor scenario={scenario} onChange={setScenario} caveats={answer} />
        <div class="card rulesCard">
          <RuleFields rules={scenario.rules} onChange={(rules) => setScenario({ ...scenario, rules })} />
        </div>
      </section>
      <section class={`details ${asked.busy && asked.slow ? 'stale' : ''}`} aria-label={words.details}>
        <Status asked={asked} />
        {mover && options && options.options.length > 0 && (
          <>
            <p class="hint">{luckWords.whatSpent(mover)}</p>
            <Plays answer={options} worth={figure} nameOf={nameOf} say={say} onTake={(play) => take(play, mover)} />
          </>
        )}
        {answer && (
          <>
            <ResultChart pmf={answer.with_best_play.pmf} result={answer.result.damage} expected={answer.expected.damage} title={luckWords.chart} />
            <Numbers
              caption={luckWords.chart}
              head={[words.damage, words.exactly, words.orMore]}
              rows={answer.with_best_play.pmf.map((chance, k) => [k, percent(chance, 2), percent(answer.with_best_play.pmf.slice(k).reduce((sum, one) => sum + one, 0), 2)])}
            />
            <Parts answer={answer} me={me} />
            <Decisions answer={answer} nameOf={nameOf} say={say} />
            {answer.filled_in.map((line) => <p class="hint" key={line}>{say(line)}</p>)}
            <CaveatLines nameOf={nameOf} caveats={answer} rules={scenario.rules} facts={factsOf(scenario)} onFact={(name, value) => setScenario(setFact(scenario, undefined, name, value))} />
            <Share title={title} lines={() => lines.map(String)} json={asked.answer?.text} command={commandOf(question, cards)} />
          </>
        )}
      </section>
    </main>
  );
}

/// The point as Should I? understands it, to which an unknown and an empty list are the same.
function withoutNothing(point: Point): Point {
  const without = (list: string[]): string[] => list.filter((word) => word !== nothing);
  return { ...point, spent: without(point.spent), defenseSpent: without(point.defenseSpent) };
}

const bySign = (value: number): string => `${value < -0.005 ? '−' : value > 0.005 ? '+' : '±'}${figure(Math.abs(value))}`;

/// How expectation, luck and decisions add up to the result.
function Parts({ answer, me }: { answer: LuckAnswer; me: Side }) {
  const sign = me === 'attacker' ? 1 : -1;
  const { mine, theirs } = seenFrom(answer, me);
  return (
    <Numbers
      open
      caption={luckWords.sum(me)}
      head={[luckWords.what, words.damage]}
      rows={[
        [luckWords.expected, bySign(sign * answer.expected.damage)],
        ...answer.parts.filter((part) => part.happened).map((part) => [
          <>{luckWords.part(part.kind)}{part.told ? null : <small> {luckWords.untold}</small>}</>,
          bySign(sign * part.damage),
        ]),
        [luckWords.yourDecisions, bySign(mine)],
        [luckWords.theirDecisions, bySign(theirs)],
        [<b key="sum">{luckWords.result}</b>, <b key="value">{bySign(sign * answer.result.damage)}</b>],
      ]}
    />
  );
}

function Decisions({ answer, nameOf, say }: { answer: LuckAnswer; nameOf: (key: string) => string; say: (play: string) => string }) {
  const lost = answer.decisions.filter((decision) => decision.loss > 1e-9).sort((a, b) => b.loss * b.probability - a.loss * a.probability).slice(0, 6);
  if (lost.length === 0) return null;
  return (
    <Numbers
      open
      stacked
      caption={luckWords.decisions}
      head={[luckWords.decision, luckWords.better, words.loses]}
      rows={lost.map((decision) => [
        <>{nameOf(decision.ship)}: {capital(say(decision.play))}<small>{say(decision.situation)}{decision.told ? '' : ` (${luckWords.untold})`}</small></>,
        capital(say(decision.better)),
        `−${figure(decision.loss * decision.probability)}`,
      ])}
    />
  );
}
