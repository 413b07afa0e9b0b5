/// The view Should I?: the dice on the table, and every play with its value and consequences.
import { useEffect, useState } from 'preact/hooks';
import type { AdviseAnswer, Play, RunAnswer } from '../engine/answers';
import { BattleEditor, setFact, shipNames } from '../parts/battle';
import { DamageChart } from '../parts/chart';
import { Choose, Stepper } from '../parts/controls';
import { figure, percent, signed, signedPercent } from '../parts/format';
import { setOf, shipFacts, shipName, upgradeName, useLibrary } from '../parts/library';
import { useOwnCards } from '../parts/own';
import { ObjectiveField, RuleFields } from '../parts/rules';
import { DieShape, FaceButton } from '../parts/shapes';
import { Share } from '../parts/share';
import { Numbers, Scroll, Status, Wrong } from '../parts/status';
import { CaveatLines, withShipNames } from '../parts/caveats';
import { useAnswer } from '../parts/use';
import { changeShot } from '../state/edit';
import { cardIdsIn } from '../state/cardIds';
import { afterRerolls } from '../state/play';
import { keysOf, newPoint, roles, shipOf, type AdviseQuestion, type Battle, type Point, type Side } from '../state/question';
import { commandOf, requestOf, scenarioOf, type Request } from '../state/request';
import { words } from '../words/en';
import { factsOf, namer } from './attack';
import type { ViewProps } from './view';

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

export function AdviseView({ question, engine, onChange }: ViewProps<AdviseQuestion>) {
  const library = useLibrary();
  const own = useOwnCards();
  const { battle, point } = question;
  const cards = own.textsFor(cardIdsIn(question));
  const names = shipNames(library, battle);
  const nameOf = namer(names, battle);
  const say = sayer(library, battle, nameOf);
  const [pending, setPending] = useState<Pending | undefined>();
  const [tries, setTries] = useState(0);
  useEffect(() => setPending(undefined), [battle, point.attack, point.rolled.length, point.defenseRolled.length]);

  // The answer for the whole battle has the numbers of dice.
  const dice = useAnswer(engine, { verb: 'run', body: { ...scenarioOf(battle), ...(cards.length > 0 ? { card: cards } : {}) } });
  const attack = (dice.answer?.data as RunAnswer | undefined)?.attacks[point.attack - 1];
  const expected: Record<Side, number | undefined> = {
    attacker: attack && Number.isInteger(attack.attack_dice) ? attack.attack_dice : undefined,
    defender: attack && Number.isInteger(attack.defense_dice) ? attack.defense_dice : undefined,
  };
  const partly = (side: Side): boolean => {
    const count = point[sides[side].rolled].length;
    return count > 0 && expected[side] !== undefined && count < expected[side];
  };
  const complete = !partly('attacker') && !partly('defender') && !pending;
  const base = requestOf(question, cards) as Request;
  const asked = useAnswer(engine, complete ? { ...base, ...(tries ? { tries } : {}) } : undefined);
  const answer = complete ? (asked.answer?.data as AdviseAnswer | undefined) : undefined;

  const setBattle = (next: Battle): void => onChange({ ...question, battle: next });
  const setPoint = (next: Point): void => onChange({ ...question, point: next });
  const shot = battle.shots[point.attack - 1];
  const take = ({ target, spends, rerolls }: Play, side: Side): void => {
    if (target !== undefined) {
      const id = [...keysOf(battle)].find(([, key]) => key === target)?.[0];
      if (id) setBattle(changeShot(battle, point.attack - 1, { on: [id] }));
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
  const title = words.adviseTitle(words.attackTitle([names.get(shot?.by ?? '') ?? ''], (shot?.on ?? []).map((id) => names.get(id) ?? '')), [...point.rolled, ...point.defenseRolled]);
  const canDie = roles(battle).victims.every((ship) => ship.pilot || ship.ship || ship.hull);
  const both = battle.shots.some((other) => roles(battle).targets.some((ship) => ship.id === other.by));
  const worth = (value: number): string => valueText(value, battle.rules.objective ?? 'damage', both);
  const short = (value: number): string => shortValue(value, battle.rules.objective ?? 'damage', both);
  const sentence = answer ? sentenceOf(answer, worth, say, both) : undefined;
  return (
    <main class="two adviseView" aria-busy={asked.busy || dice.busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('advise')}</h1>
        <div class={asked.busy && asked.slow ? 'stale' : ''}>
          {pending ? (
            <p class="sentence">{words.rollNow(pending.reroll)}</p>
          ) : sentence ? (
            <>
              <p class="sentence">{sentence.best}</p>
              {sentence.why && <p class="why">{sentence.why}</p>}
            </>
          ) : complete && asked.error ? (
            <Wrong error={asked.error} nameOf={nameOf} />
          ) : (
            <p class="sentence">{complete ? '…' : words.moreDice((expected.attacker ?? 0) - point.rolled.length, (expected.defender ?? 0) - point.defenseRolled.length, partly('attacker'))}</p>
          )}
        </div>
      </section>
      <section class="card tableCard" aria-label={words.diceTable}>
          {battle.shots.length > 1 && (
            <Choose
              label={words.whichAttack}
              value={point.attack}
              options={battle.shots.map((other, i) => ({ value: i + 1, label: String(i + 1), title: `${names.get(other.by) ?? ''} → ${other.on.map((id) => names.get(id)).join(', ')}` }))}
              onChange={(next) => setPoint({ ...newPoint(next), damage: point.damage })}
            />
          )}
          {point.attack > 1 && <BeforeAttack battle={battle} names={names} damage={point.damage} onChange={(damage) => setPoint({ ...point, damage })} />}
          {(['attacker', 'defender'] as const).map((side) =>
            side === 'defender' && point.rolled.length === 0 ? null : (
              <DiceOnTable
                key={side}
                side={side}
                who={whose(battle, side === 'attacker' ? [shot?.by ?? ''] : (shot?.on ?? []), names)}
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
              <button type="button" class="quiet" onClick={() => (setPending(undefined), setPoint({ ...newPoint(point.attack), damage: point.damage }))}>{words.newRoll}</button>
            </p>
          )}
        </section>
      <section class="question" aria-label={words.question}>
        <BattleEditor battle={battle} onChange={setBattle} caveats={answer} />
        <div class="card rulesCard">
          <ObjectiveField rules={battle.rules} kill={canDie} onChange={(rules) => setBattle({ ...battle, rules })} />
          <RuleFields attacks rules={battle.rules} onChange={(rules) => setBattle({ ...battle, rules })} />
        </div>
      </section>
      <section class={`details ${asked.busy && asked.slow ? 'stale' : ''}`} aria-label={words.details}>
        <Status headed asked={asked} onRetry={() => setTries(tries + 1)} />
        {pending && <p>{words.rollNow(pending.reroll)}</p>}
        {answer && (
          <>
            {answer.options.length > 0 && <Plays answer={answer} worth={short} nameOf={nameOf} say={say} onTake={(play) => take(play, mover)} />}
            {answer.rolls && <Rolls answer={answer} worth={short} say={say} dice={hits(point)} health={healthOf(library, battle, shot?.on[0])} />}
            <p class="hint situation">{withShipNames(answer.situation, nameOf)}</p>
            <CaveatLines nameOf={nameOf} caveats={answer} rules={battle.rules} facts={factsOf(battle)} onFact={(name, value) => setBattle(setFact(battle, undefined, name, value))} />
            <Share title={title} lines={() => summary(answer, worth, sentence?.best ?? '', nameOf, say)} json={asked.answer?.text} command={commandOf(question, cards)} />
          </>
        )}
      </section>
    </main>
  );
}

/// Replaces ids of ships and cards in the engine's name of a play by the page's names.
export type Say = (play: string) => string;
export function sayer(library: ReturnType<typeof useLibrary>, battle: Battle, nameOf: (key: string) => string): Say {
  const cards = battle.ships.flatMap((ship) => [
    ...ship.upgrades.map((id): [string, string] => [id, upgradeName(library, id, battle.rules)]),
    ...(ship.pilot ? [[ship.pilot, shipName(library, ship, battle.rules, 'attacker')] as [string, string]] : []),
  ]);
  return (play) =>
    cards.reduce(
      (text, [id, name]) => text.replace(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), () => name),
      withShipNames(words.playWords(play), nameOf),
    );
}

/// The fields for the damage of earlier attacks. The tokens that are left are those on the ships' cards.
function BeforeAttack({ battle, names, damage, onChange }: {
  battle: Battle;
  names: Map<string, string>;
  damage: Point['damage'];
  onChange: (damage: Point['damage']) => void;
}) {
  const { shooters, targets } = roles(battle);
  const mortal = [...targets, ...shooters].filter((ship) => battle.shots.some((shot) => shot.on.includes(ship.id)) && (ship.pilot || ship.ship || ship.hull));
  return (
    <div class="before" role="group" aria-label={words.beforeAttack}>
      <h2>{words.beforeAttack}</h2>
      <p class="hint">{words.beforeHint}</p>
      <div class="steppers">
        {mortal.map((ship) => (
          <Stepper
            key={ship.id}
            label={words.damageSoFar(names.get(ship.id) ?? '')}
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

/// The names of the ships whose dice they are. Ships of bare dice have none.
export function whose(battle: Battle, ids: string[], names: Map<string, string>): string {
  return ids.flatMap((id) => (shipOf(battle, id)?.pilot || shipOf(battle, id)?.ship ? [names.get(id) ?? ''] : [])).join(', ');
}

/// The number of hits and crits that the defender faces.
export const hits = (point: Point): number => afterRerolls(point.rolled, point.rerolled).filter((face) => face === 'hit' || face === 'crit').length;

function healthOf(library: ReturnType<typeof useLibrary>, battle: Battle, id: string | undefined): number | undefined {
  const ship = id === undefined ? undefined : shipOf(battle, id);
  if (!ship) return undefined;
  const known = shipFacts(library, ship, { ...battle.rules, cards: setOf(battle.rules) }).ship;
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
  return both ? words.damageAhead(signed(value)) : words.damageOf(figure(value));
}

/// Like valueText(), but without the unit, for tables that name it.
function shortValue(value: number, objective: string, both: boolean): string {
  if (objective === 'kill' || objective === 'exchange') return valueText(value, objective, both);
  return both ? signed(value) : figure(value);
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function sentenceOf(answer: AdviseAnswer, worth: (value: number) => string, say: Say, both: boolean): { best: string; why?: string } {
  const said = (play: string): string => capital(say(play));
  if (answer.to_move === null) return { best: words.nothingToDecide(worth(answer.value)) };
  const [best] = answer.options;
  if (!best) {
    if (!answer.rolls) return { best: words.nothingToDecide(worth(answer.value)) };
    return { best: words.beforeRoll(answer.to_move, worth(answer.value)) };
  }
  const differ = (play: Play): boolean => play.loss > 1e-9 || (play.damage_loss ?? 0) > 1e-9;
  const alike = answer.options.filter((play) => !differ(play)).length;
  const second = answer.options.find(differ);
  if (!second) return { best: answer.options.length > 1 ? words.allTheSame(worth(best.value)) : words.onlyPlay(said(best.play), worth(best.value)) };
  const why =
    Math.abs(best.later) < 1e-12 && Math.abs(second.later) < 1e-12
      ? words.onlyNow
      : words.nowAndLater(worth(best.now), worth(best.later), worth(second.now), worth(second.later), both);
  const tie = second.loss <= 1e-9;
  const text = tie
    ? words.bestByDamage(said(best.play), worth(best.value), second.damage_loss ?? 0)
    : words.bestPlay(said(best.play), worth(best.value), worth(second.value), say(second.play));
  return { best: alike > 1 ? `${text} ${words.asGood(alike - 1)}` : text, why };
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
    <div class={`tableRow ${die}`} role="group" aria-label={words.diceOf(side, who)}>
      <h2>{words.diceOf(side, who)}</h2>
      <div class="dice">
        {shown.map((face, i) => (
          <button
            key={i}
            type="button"
            class="dieButton"
            aria-label={words.takeDie(face)}
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
          {words.whatCame(pending.reroll[again.length] ?? '', again.length + 1, pending.reroll.length)}{' '}
          <button type="button" class="link" onClick={onCancel}>{words.cancel}</button>
        </p>
      )}
      {full ? null : (
        <div class="faces" role="group" aria-label={words.addDice}>
          {faces.map((face) => <FaceButton key={face} face={face} die={die} onClick={() => add(face)} />)}
        </div>
      )}
      {point[spent].length > 0 && <p class="hint">{words.spentLine(point[spent].map(words.token))}</p>}
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
      <p class="hint">{words.tapPlay}</p>
      <Scroll class="playTable" label={words.plays}>
        <table>
          <caption>{words.plays}</caption>
          <thead>
            <tr>
              <th scope="col">{words.play}</th>
              <th scope="col">{words.comesOutAs(answer.objective)}</th>
              <th scope="col">{words.loses}</th>
              {split && <th scope="col">{words.now}</th>}
              {split && <th scope="col">{words.later}</th>}
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
                <td>{play.loss > 1e-9 ? lossText(play.loss, kill) : (play.damage_loss ?? 0) > 1e-9 ? words.damageOf(`−${figure(play.damage_loss!)}`) : i === 0 ? <b>{words.best}</b> : words.asGoodCell}</td>
                {split && <td>{worth(play.now)}</td>}
                {split && <td>{worth(play.later)}</td>}
                {kill ? <td>{victims.map((key) => figure(play.chances[key]?.damage.mean ?? 0)).join(' / ')}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {answer.options.length > 6 && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>{all ? words.showLess : words.allPlays(answer.options.length)}</button>
      )}
      {answer.options[0]!.then.length > 0 && (
        <p class="hint">
          {words.thenLine(answer.options[0]!.then.slice(0, 3).map((next) => words.thenPlay(next.by, say(next.play), percent(next.probability, 0))))}
        </p>
      )}
      <Numbers
        caption={words.chancesAfter}
        head={[words.play, ...victims.flatMap((key) => [words.destroyed, ...(answer.options[0]!.chances[key]?.damage.at_least.slice(1, 6).map((_, k) => `${k + 1}+ ${victims.length > 1 ? nameOf(key) : ''}`) ?? [])])]}
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

/// Before a roll: the best play for each result, and the chances of the results.
function Rolls({ answer, worth, say, dice, health }: { answer: AdviseAnswer; worth: (value: number) => string; say: Say; dice: number; health: number | undefined }) {
  const rolls = answer.rolls ?? [];
  const through = damageThrough(answer, dice);
  return (
    <section class="rolls">
      {through && answer.to_move === 'defender' && (
        <>
          <DamageChart {...through} title={words.getsThrough} {...(health !== undefined ? { health } : {})} />
          <Numbers open caption={words.getsThrough} head={[words.damage, words.exactly, words.orMore]} rows={through.pmf.map((chance, k) => [k, percent(chance), percent(through.atLeast[k]!)])} />
        </>
      )}
      {answer.plays && answer.plays.length > 0 && (
        <Numbers open caption={words.howOftenRight} head={[words.play, words.chance]} rows={[
          ...answer.plays.slice(0, 6).map((play) => [capital(say(play.play)), percent(play.probability)]),
          ...((answer.no_decision ?? 0) > 0 ? [[words.noDecision, percent(answer.no_decision!)]] : []),
        ]} />
      )}
      <Numbers
        caption={words.allRolls}
        head={[words.roll, words.chance, words.bestPlayHead, words.comesOut]}
        rows={rolls.map((roll) => [roll.roll, percent(roll.probability), capital(say(roll.play)), worth(roll.value)])}
      />
    </section>
  );
}

function summary(answer: AdviseAnswer, worth: (value: number) => string, sentence: string, nameOf: (key: string) => string, say: Say): string[] {
  return [
    withShipNames(answer.situation, nameOf),
    sentence,
    ...answer.options.slice(0, 4).map((play) => `${capital(say(play.play))}: ${worth(play.value)}`),
    ...((answer.assumed_facts?.length ?? 0) > 0 ? [words.assumedLine(answer.assumed_facts!.join(', '))] : []),
  ];
}
