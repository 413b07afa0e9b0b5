/// An attack that is being played: the dice on the table, and the plays with their values. For the views Should I?, Luck and Play.
import { useEffect, useState } from 'preact/hooks';
import type { AdviseAnswer, Play, RunAnswer } from '../engine/answers';
import type { Engine } from '../engine/engine';
import { afterRerolls } from '../state/play';
import { shipOf, type Point, type Rules, type Scenario, type Side } from '../state/question';
import { scenarioKeys } from '../state/request';
import { words } from '../words/en';
import { viewWords } from '../words/views';
import { DieShape, FaceButton } from './dice';
import { figure, percent, signed, signedPercent } from './format';
import type { Library } from './library';
import { capital, sayPlainly } from './sentence';
import { Numbers, Scroll } from './status';
import { useAnswer } from './use';
import './attackInPlay.css';

export const sides = {
  attacker: { die: 'attack', faces: ['hit', 'crit', 'focus', 'blank'], rolled: 'rolled', rerolled: 'rerolled', spent: 'spent' },
  defender: { die: 'defense', faces: ['evade', 'focus', 'blank'], rolled: 'defenseRolled', rerolled: 'defenseRerolled', spent: 'defenseSpent' },
} as const;

/// A chosen play whose rerolled dice the user has to enter before the next request.
export interface Pending {
  side: Side;
  spent: string[];
  reroll: string[];
}

/// Puts the engine's name of a play into words.
export type Say = (play: string) => string;
export const sayer =
  (library: Library, rules: Rules, nameOf: (key: string) => string): Say =>
  (play) => sayPlainly(viewWords.playWords(play), library, rules, nameOf);

/// The names of the ships whose dice they are. Ships of bare dice have none.
export function whose(scenario: Scenario, ids: string[], names: Map<string, string>): string {
  return ids.flatMap((id) => (shipOf(scenario, id)?.pilot || shipOf(scenario, id)?.ship ? [names.get(id) ?? ''] : [])).join(', ');
}

/// The number of hits and crits that the defender faces.
export const hits = (point: Point): number => afterRerolls(point.rolled, point.rerolled).filter((face) => face === 'hit' || face === 'crit').length;

export function sentenceOf(answer: AdviseAnswer, worth: (value: number) => string, say: Say, both: boolean): { best: string; why?: string } {
  const said = (play: string): string => capital(say(play));
  if (answer.to_move === null) return { best: viewWords.nothingToDecide(worth(answer.value)) };
  const [best] = answer.options;
  if (!best) {
    if (!answer.rolls) return { best: viewWords.nothingToDecide(worth(answer.value)) };
    return { best: viewWords.beforeRoll(answer.to_move, worth(answer.value)) };
  }
  const differ = (play: Play): boolean => play.loss > 1e-9 || (play.damage_loss ?? 0) > 1e-9;
  const alike = answer.options.filter((play) => !differ(play)).length;
  const second = answer.options.find(differ);
  if (!second) return { best: answer.options.length > 1 ? viewWords.allTheSame(worth(best.value)) : viewWords.onlyPlay(said(best.play), worth(best.value)) };
  const why =
    Math.abs(best.later) < 1e-12 && Math.abs(second.later) < 1e-12
      ? viewWords.onlyNow
      : viewWords.nowAndLater(worth(best.now), worth(best.later), worth(second.now), worth(second.later), both);
  const tie = second.loss <= 1e-9;
  const text = tie
    ? viewWords.bestByDamage(said(best.play), worth(best.value), second.damage_loss ?? 0)
    : viewWords.bestPlay(said(best.play), worth(best.value), worth(second.value), say(second.play));
  return { best: alike > 1 ? `${text} ${viewWords.asGood(alike - 1)}` : text, why };
}

/// How many dice each side of an attack rolls, where that is certain, and whether those on the table are all that were rolled.
export function useDice(engine: Engine, scenario: Scenario, point: Point, cards: string[], pending: Pending | undefined) {
  const { answer, busy } = useAnswer(engine, { verb: 'run', body: { ...scenarioKeys(scenario), ...(cards.length > 0 ? { card: cards } : {}) } });
  const attack = (answer?.data as RunAnswer | undefined)?.attacks[point.attack - 1];
  const expected: Record<Side, number | undefined> = {
    attacker: attack && Number.isInteger(attack.attack_dice) ? attack.attack_dice : undefined,
    defender: attack && Number.isInteger(attack.defense_dice) ? attack.defense_dice : undefined,
  };
  const partly = (side: Side): boolean => {
    const count = point[sides[side].rolled].length;
    return count > 0 && expected[side] !== undefined && count < expected[side];
  };
  const complete = !partly('attacker') && !partly('defender') && !pending;
  return { busy, expected, partly, complete };
}

export function DiceOnTable({ side, who, point, expected, pending, onRolled, onAgain, onCancel }: {
  side: Side;
  who: string;
  point: Point;
  expected: number | undefined;
  pending: Pending | undefined;
  onRolled: (faces: string[]) => void;
  onAgain: (faces: string[]) => void;
  onCancel: () => void;
}) {
  const { die, faces, rolled, rerolled, spent } = sides[side];
  const first = point[rolled];
  const shown = afterRerolls(first, point[rerolled]);
  const [again, setAgain] = useState<string[]>([]);
  useEffect(() => setAgain([]), [pending]);
  const missing = expected === undefined ? 0 : Math.max(0, expected - first.length);
  const add = (face: string): void => {
    if (!pending) return onRolled([...first, face]);
    const next = [...again, face];
    if (next.length === pending.reroll.length) onAgain(next);
    else setAgain(next);
  };
  const full = !pending && expected !== undefined && missing === 0;
  return (
    <div class={`tableRow ${die}`} role="group" aria-label={viewWords.diceOf(side, who)}>
      <h2>{viewWords.diceOf(side, who)}</h2>
      <div class="dice">
        {shown.map((face, i) => (
          <button
            key={i}
            type="button"
            class="dieButton"
            aria-label={viewWords.takeDie(face)}
            disabled={point[rerolled].length > 0 || point[spent].length > 0 || pending !== undefined}
            onClick={() => onRolled(first.filter((_, j) => j !== i))}
          >
            <DieShape face={face} die={die} />
            <span>{words.face(face)}</span>
          </button>
        ))}
        {Array.from({ length: missing }, (_, i) => <span key={`empty${i}`} class="dieButton empty" aria-hidden="true" />)}
      </div>
      {pending && (
        <p class="pending">
          {viewWords.whatCame(pending.reroll[again.length] ?? '', again.length + 1, pending.reroll.length)}{' '}
          <button type="button" class="link" onClick={onCancel}>{viewWords.cancel}</button>
        </p>
      )}
      {full ? null : (
        <div class="faces" role="group" aria-label={viewWords.addDice}>
          {faces.map((face) => <FaceButton key={face} face={face} die={die} onClick={() => add(face)} />)}
        </div>
      )}
      {point[spent].length > 0 && <p class="hint">{viewWords.spentLine(point[spent].map(words.token))}</p>}
    </div>
  );
}

export function Plays({ answer, worth, nameOf, say, onTake }: {
  answer: AdviseAnswer;
  worth: (value: number) => string;
  nameOf: (key: string) => string;
  say: Say;
  onTake: (play: Play) => void;
}) {
  const [all, setAll] = useState(false);
  const worst = Math.max(...answer.options.map((play) => play.loss), 1e-9);
  const shown = all ? answer.options : answer.options.slice(0, 6);
  const kill = answer.objective === 'kill';
  const victims = Object.keys(answer.options[0]?.chances ?? {});
  const split = answer.options.some((play) => Math.abs(play.later) > 1e-12);
  return (
    <section class="plays">
      <p class="hint">{viewWords.tapPlay}</p>
      <Scroll class="playTable" label={viewWords.plays}>
        <table>
          <caption>{viewWords.plays}</caption>
          <thead>
            <tr>
              <th scope="col">{viewWords.play}</th>
              <th scope="col">{viewWords.comesOutAs(answer.objective)}</th>
              <th scope="col">{words.loses}</th>
              {split && <th scope="col">{viewWords.now}</th>}
              {split && <th scope="col">{viewWords.later}</th>}
              {kill ? <th scope="col">{words.meanDamage}</th> : null}
            </tr>
          </thead>
          <tbody>
            {shown.map((play, i) => (
              <tr key={play.play} class={play.loss <= 1e-9 ? 'best' : ''}>
                <th scope="row">
                  <button type="button" class="playButton" onClick={() => onTake(play)}>
                    {capital(say(play.play))}
                  </button>
                  <svg class="lossBar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(100 * play.loss) / worst} height="4" />
                  </svg>
                </th>
                <td>{worth(play.value)}</td>
                <td>{play.loss > 1e-9 ? lossText(play.loss, kill) : (play.damage_loss ?? 0) > 1e-9 ? viewWords.damageOf(`−${figure(play.damage_loss!)}`) : i === 0 ? <b>{words.best}</b> : viewWords.asGoodCell}</td>
                {split && <td>{worth(play.now)}</td>}
                {split && <td>{worth(play.later)}</td>}
                {kill ? <td>{victims.map((key) => figure(play.chances[key]?.damage.mean ?? 0)).join(' / ')}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {answer.options.length > 6 && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>{all ? words.showLess : viewWords.allPlays(answer.options.length)}</button>
      )}
      {answer.options[0]!.then.length > 0 && (
        <p class="hint">
          {viewWords.thenLine(answer.options[0]!.then.slice(0, 3).map((next) => viewWords.thenPlay(next.by, say(next.play), percent(next.probability, 0))))}
        </p>
      )}
      <Numbers
        caption={viewWords.chancesAfter}
        head={[viewWords.play, ...victims.flatMap((key) => [words.destroyed, ...(answer.options[0]!.chances[key]?.damage.at_least.slice(1, 6).map((_, k) => `${k + 1}+ ${victims.length > 1 ? nameOf(key) : ''}`) ?? [])])]}
        rows={shown.map((play) => [
          capital(say(play.play)),
          ...victims.flatMap((key) => {
            const most = answer.options[0]!.chances[key]?.damage.at_least.slice(1, 6).length ?? 0;
            const chances = play.chances[key];
            return [percent(chances?.destroyed ?? 0), ...Array.from({ length: most }, (_, k) => percent(chances?.damage.at_least[k + 1] ?? 0))];
          }),
        ])}
      />
    </section>
  );
}

const lossText = (loss: number, kill: boolean): string => (kill ? signedPercent(-loss) : signed(-loss));

/// The distribution of the damage that gets through, or undefined if it is no whole number for each roll. `dice`: the uncancelled results.
export function damageThrough(answer: AdviseAnswer, dice: number): { pmf: number[]; atLeast: number[] } | undefined {
  const rolls = answer.rolls ?? [];
  // Rolls without a decision are not listed. Their mean value follows from the total.
  const silent = answer.no_decision ?? 0;
  const listed = rolls.reduce((sum, roll) => sum + roll.probability * roll.value, 0);
  const rest = silent > 1e-12 ? (answer.value - listed) / silent : 0;
  const all = silent > 1e-12 ? [...rolls, { probability: silent, value: rest }] : rolls;
  if (answer.objective !== 'damage' || !all.every((roll) => Math.abs(roll.value - Math.round(roll.value)) < 1e-7 && roll.value > -1e-7)) return undefined;
  const pmf: number[] = Array.from({ length: Math.max(dice, ...all.map((roll) => Math.round(roll.value))) + 1 }, () => 0);
  for (const roll of all) pmf[Math.round(roll.value)]! += roll.probability;
  return { pmf, atLeast: pmf.map((_, k) => pmf.slice(k).reduce((sum, chance) => sum + chance, 0)) };
}
