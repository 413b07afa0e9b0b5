/// The view Should I?: the dice on the table, and every play with its value and consequences.
import { useEffect, useState } from 'preact/hooks';
import type { AdviseAnswer, Play } from '../engine/answers';
import { damageThrough, DiceOnTable, hits, Plays, sayer, sentenceOf, sides, useDice, whose, type Pending, type Say } from '../parts/attackInPlay';
import { factsOf, namer, ScenarioEditor, setFact, shipNames } from '../parts/scenario';
import { DamageChart } from '../parts/chart';
import { Choose, Stepper } from '../parts/controls';
import { figure, percent, signed, signedPercent } from '../parts/format';
import { setOf, shipFacts, useLibrary, type Library } from '../parts/library';
import { useOwnCards } from '../parts/own';
import { ObjectiveField, RuleFields } from '../parts/rules';
import { Share } from '../parts/share';
import { Numbers, Status, Wrong } from '../parts/status';
import { CaveatLines } from '../parts/caveats';
import { assumptionsText, capital } from '../parts/sentence';
import { useAnswer } from '../parts/use';
import { changeShot } from '../state/edit';
import { cardIdsIn } from '../state/cardIds';
import { keysOf, newPoint, roles, shipOf, type AdviseQuestion, type Scenario, type Point, type Rules, type Side } from '../state/question';
import { commandOf, requestOf, type Request } from '../state/request';
import { words } from '../words/en';
import { viewWords } from '../words/views';
import type { ViewProps } from './props';

export function View({ question, engine, onChange }: ViewProps<AdviseQuestion>) {
  const library = useLibrary();
  const own = useOwnCards();
  const { scenario, point } = question;
  const cards = own.textsFor(cardIdsIn(question));
  const names = shipNames(library, scenario);
  const nameOf = namer(names, scenario);
  const say = sayer(library, scenario.rules, nameOf);
  const [pending, setPending] = useState<Pending | undefined>();
  const [tries, setTries] = useState(0);
  useEffect(() => setPending(undefined), [scenario, point.attack, point.rolled.length, point.defenseRolled.length]);

  const { expected, partly, complete, ...dice } = useDice(engine, scenario, point, cards, pending);
  const base = requestOf(question, cards) as Request;
  const asked = useAnswer(engine, complete ? { ...base, ...(tries ? { tries } : {}) } : undefined);
  const answer = complete ? (asked.answer?.data as AdviseAnswer | undefined) : undefined;

  const setScenario = (next: Scenario): void => onChange({ ...question, scenario: next });
  const setPoint = (next: Point): void => onChange({ ...question, point: next });
  const shot = scenario.shots[point.attack - 1];
  const take = ({ target, spends, rerolls }: Play, side: Side): void => {
    if (target !== undefined) {
      const id = [...keysOf(scenario)].find(([, key]) => key === target)?.[0];
      if (id) setScenario(changeShot(scenario, point.attack - 1, { on: [id] }));
      return;
    }
    if (rerolls.length > 0) return setPending({ side, spent: spends, reroll: rerolls });
    const key = sides[side].spent;
    setPoint({ ...point, [key]: [...point[key], ...spends], ...(side === 'attacker' ? { toMove: 'defender' as const } : {}) });
  };
  const rollAgain = (results: string[]): void => {
    if (!pending) return;
    const { rerolled, spent } = sides[pending.side];
    const pairs = pending.reroll.map((from, i): [string, string] => [from, results[i]!]);
    setPoint({ ...point, [rerolled]: [...point[rerolled], ...pairs], [spent]: [...point[spent], ...pending.spent] });
    setPending(undefined);
  };

  const mover: Side = answer?.to_move ?? point.toMove ?? 'attacker';
  const title = viewWords.adviseTitle(words.attackTitle([names.get(shot?.by ?? '') ?? ''], (shot?.on ?? []).map((id) => names.get(id) ?? '')), [...point.rolled, ...point.defenseRolled]);
  const canDie = roles(scenario).victims.every((ship) => ship.pilot || ship.ship || ship.hull);
  const both = scenario.shots.some((other) => roles(scenario).targets.some((ship) => ship.id === other.by));
  const worth = (value: number): string => valueText(value, scenario.rules.objective ?? 'damage', both);
  const short = (value: number): string => shortValue(value, scenario.rules.objective ?? 'damage', both);
  const sentence = answer ? sentenceOf(answer, worth, say, both) : undefined;
  return (
    <main class="two adviseView" aria-busy={asked.busy || dice.busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('advise')}</h1>
        <div class={asked.busy && asked.slow ? 'stale' : ''}>
          {pending ? (
            <p class="sentence">{viewWords.rollNow(pending.reroll)}</p>
          ) : sentence ? (
            <>
              <p class="sentence">{sentence.best}</p>
              {sentence.why && <p class="why">{sentence.why}</p>}
            </>
          ) : complete && asked.error ? (
            <Wrong error={asked.error} rules={scenario.rules} nameOf={nameOf} />
          ) : (
            <p class="sentence">{complete ? '…' : viewWords.moreDice((expected.attacker ?? 0) - point.rolled.length, (expected.defender ?? 0) - point.defenseRolled.length, partly('attacker'))}</p>
          )}
        </div>
      </section>
      <section class="card tableCard" aria-label={viewWords.diceTable}>
          {scenario.shots.length > 1 && (
            <Choose
              label={viewWords.whichAttack}
              value={point.attack}
              options={scenario.shots.map((other, i) => ({ value: i + 1, label: String(i + 1), title: `${names.get(other.by) ?? ''} → ${other.on.map((id) => names.get(id)).join(', ')}` }))}
              onChange={(next) => setPoint({ ...newPoint(next), damage: point.damage })}
            />
          )}
          {point.attack > 1 && <BeforeAttack scenario={scenario} names={names} damage={point.damage} onChange={(damage) => setPoint({ ...point, damage })} />}
          {(['attacker', 'defender'] as const).map((side) =>
            side === 'defender' && point.rolled.length === 0 ? null : (
              <DiceOnTable
                key={side}
                side={side}
                who={whose(scenario, side === 'attacker' ? [shot?.by ?? ''] : (shot?.on ?? []), names)}
                point={point}
                expected={expected[side]}
                pending={pending?.side === side ? pending : undefined}
                onRolled={(faces) => setPoint(withRolled(point, side, faces))}
                onAgain={rollAgain}
                onCancel={() => setPending(undefined)}
              />
            ),
          )}
          {(point.rolled.length > 0 || point.defenseRolled.length > 0) && (
            <p class="adders">
              <button type="button" class="quiet" onClick={() => (setPending(undefined), setPoint({ ...newPoint(point.attack), damage: point.damage }))}>{viewWords.newRoll}</button>
            </p>
          )}
        </section>
      <section class="question" aria-label={words.question}>
        <ScenarioEditor scenario={scenario} onChange={setScenario} caveats={answer} />
        <div class="card rulesCard">
          <ObjectiveField rules={scenario.rules} kill={canDie} onChange={(rules) => setScenario({ ...scenario, rules })} />
          <RuleFields attacks rules={scenario.rules} onChange={(rules) => setScenario({ ...scenario, rules })} />
        </div>
      </section>
      <section class={`details ${asked.busy && asked.slow ? 'stale' : ''}`} aria-label={words.details}>
        <Status asked={asked} onRetry={() => setTries(tries + 1)} />
        {pending && <p>{viewWords.rollNow(pending.reroll)}</p>}
        {answer && (
          <>
            {answer.options.length > 0 && <Plays answer={answer} worth={short} nameOf={nameOf} say={say} onTake={(play) => take(play, mover)} />}
            {answer.rolls && <Rolls answer={answer} worth={short} say={say} dice={hits(point)} health={healthOf(library, scenario, shot?.on[0])} />}
            <p class="hint situation">{say(answer.situation)}</p>
            <CaveatLines nameOf={nameOf} caveats={answer} rules={scenario.rules} facts={factsOf(scenario)} onFact={(name, value) => setScenario(setFact(scenario, undefined, name, value))} />
            <Share title={title} lines={() => summary(answer, worth, sentence?.best ?? '', say, library, scenario.rules)} json={asked.answer?.text} command={commandOf(question, cards)} />
          </>
        )}
      </section>
    </main>
  );
}

/// The fields for the damage of earlier attacks. The tokens that are left are those on the ships' cards.
function BeforeAttack({ scenario, names, damage, onChange }: {
  scenario: Scenario;
  names: Map<string, string>;
  damage: Point['damage'];
  onChange: (damage: Point['damage']) => void;
}) {
  const { shooters, targets } = roles(scenario);
  const mortal = [...targets, ...shooters].filter((ship) => scenario.shots.some((shot) => shot.on.includes(ship.id)) && (ship.pilot || ship.ship || ship.hull));
  return (
    <div class="before" role="group" aria-label={viewWords.beforeAttack}>
      <h2>{viewWords.beforeAttack}</h2>
      <p class="hint">{viewWords.beforeHint}</p>
      <div class="steppers">
        {mortal.map((ship) => (
          <Stepper
            key={ship.id}
            label={viewWords.damageSoFar(names.get(ship.id) ?? '')}
            value={damage[ship.id] ?? 0}
            onChange={(count) => {
              const { [ship.id]: _old, ...rest } = damage;
              onChange(count ? { ...rest, [ship.id]: count } : rest);
            }}
          />
        ))}
      </div>
    </div>
  );
}

function healthOf(library: ReturnType<typeof useLibrary>, scenario: Scenario, id: string | undefined): number | undefined {
  const ship = id === undefined ? undefined : shipOf(scenario, id);
  if (!ship) return undefined;
  const known = shipFacts(library, ship, { ...scenario.rules, cards: setOf(scenario.rules) }).ship;
  const hull = ship.hull ?? known?.hull;
  return hull === undefined ? undefined : hull + (ship.shields ?? known?.shields ?? 0);
}

/// Changes the rolled dice, and clears all later steps, which depended on them.
function withRolled(point: Point, side: Side, faces: string[]): Point {
  if (side === 'attacker') return { ...newPoint(point.attack), damage: point.damage, rolled: faces };
  return { ...point, defenseRolled: faces, defenseRerolled: [], defenseSpent: [], toMove: 'defender' };
}

function valueText(value: number, objective: string, both: boolean): string {
  if (objective === 'kill') return both ? signedPercent(value) : percent(value);
  if (objective === 'exchange') return signedPercent(value);
  return both ? viewWords.damageAhead(signed(value)) : viewWords.damageOf(figure(value));
}

/// Like valueText(), but without the unit, for tables that name it.
function shortValue(value: number, objective: string, both: boolean): string {
  if (objective === 'kill' || objective === 'exchange') return valueText(value, objective, both);
  return both ? signed(value) : figure(value);
}

/// Before a roll: the best play for each result, and the chances of the results.
function Rolls({ answer, worth, say, dice, health }: { answer: AdviseAnswer; worth: (value: number) => string; say: Say; dice: number; health: number | undefined }) {
  const rolls = answer.rolls ?? [];
  const through = damageThrough(answer, dice);
  return (
    <section class="rolls">
      {through && answer.to_move === 'defender' && (
        <>
          <DamageChart {...through} title={viewWords.getsThrough} {...(health !== undefined ? { health } : {})} />
          <Numbers open caption={viewWords.getsThrough} head={[words.damage, words.exactly, words.orMore]} rows={through.pmf.map((chance, k) => [k, percent(chance), percent(through.atLeast[k]!)])} />
        </>
      )}
      {answer.plays && answer.plays.length > 0 && (
        <Numbers open caption={viewWords.howOftenRight} head={[viewWords.play, viewWords.chance]} rows={[
          ...answer.plays.slice(0, 6).map((play) => [capital(say(play.play)), percent(play.probability)]),
          ...((answer.no_decision ?? 0) > 0 ? [[viewWords.noDecision, percent(answer.no_decision!)]] : []),
        ]} />
      )}
      <Numbers
        caption={viewWords.allRolls}
        head={[viewWords.roll, viewWords.chance, viewWords.bestPlayHead, viewWords.comesOut]}
        rows={rolls.map((roll) => [roll.roll, percent(roll.probability), capital(say(roll.play)), worth(roll.value)])}
      />
    </section>
  );
}

function summary(answer: AdviseAnswer, worth: (value: number) => string, sentence: string, say: Say, library: Library, rules: Rules): string[] {
  return [
    say(answer.situation),
    sentence,
    ...answer.options.slice(0, 4).map((play) => `${capital(say(play.play))}: ${worth(play.value)}`),
    ...((answer.assumed_facts?.length ?? 0) > 0 ? [words.assumedLine(assumptionsText(answer.assumed_facts!, library, rules))] : []),
  ];
}
