/// The view Play: a companion at the table, attack by attack.
import { Fragment } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ReviewAnswer } from 'salvo-engine';
import type { AdviseAnswer, Play, RunAnswer } from '../../engine/answers';
import { DiceOnTable, Plays, sayer, sentenceOf, type Pending } from '../../parts/attackInPlay';
import { capital } from '../../parts/sentence';
import { weaponsOf } from '../../parts/scenario';
import { CaveatLines } from '../../parts/caveats';
import { Choose, Stepper, Toggle } from '../../parts/controls';
import { figure, percent, signed } from '../../parts/format';
import { publishHeadline } from '../../parts/headline';
import { useLibrary } from '../../parts/library';
import { Status, Wrong } from '../../parts/status';
import { useAnswer } from '../../parts/use';
import {
  adviseBody, attackBody, fighterOf, health, isGone, logOf, newAttack, nextRound, pointOf, record, setFighter, type Attack, type Fighter, type Game, type Step,
} from '../../state/further/game';
import { readGame, step, stepBack, writeGame, type Kept } from '../../state/further/gameStore';
import type { PlayQuestion, Side } from '../../state/question';
import { storage } from '../../state/storage';
import { words } from '../../words/en';
import { viewWords } from '../../words/views';
import type { ViewProps } from '../props';
import { Fighters } from './playFighters';
import { namesOf, type Names } from './playNames';
import { Review } from './playReview';
import { beginWith, Setup } from './playSetup';
import { playWords } from './playWords';
import './play.css';

export function View({ question, engine, onChange }: ViewProps<PlayQuestion>) {
  const [kept, setKept] = useState<Kept | undefined>(() => readGame(storage()));
  const [stored, setStored] = useState(true);
  const [notes, setNotes] = useState<string[]>([]);
  const [failed, setFailed] = useState('');
  const save = (next: Kept | undefined): void => {
    setKept(next);
    setStored(writeGame(storage(), next) || next === undefined);
  };
  const begun = (game: Game, said: string[] = []): void => {
    setNotes(said);
    save({ game, past: [] });
  };
  // The example that the address names begins only if the browser has stored no game.
  const asked = question.begin;
  useEffect(() => {
    if (!asked) return;
    if (kept) return onChange({ view: 'play', rules: {} });
    let mounted = true;
    beginWith(engine, asked).then(
      (game) => mounted && (begun(game), onChange({ view: 'play', rules: {} })),
      (error: unknown) => mounted && setFailed(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      mounted = false;
    };
  }, [asked]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (typing || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.key !== 'z' || !kept) return;
      save(stepBack(kept));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  if (!kept && asked && !failed) {
    return <main aria-busy="true"><p class="sentence" role="status">{playWords.starting}</p></main>;
  }
  if (!kept) return <Setup engine={engine} onBegin={begun} />;
  return (
    <Table
      {...{ engine, kept, notes, stored }}
      onStep={(game) => save(step(kept, game))}
      onBack={() => save(stepBack(kept))}
      onEnd={() => (setNotes([]), save(undefined))}
    />
  );
}

interface TableProps {
  engine: ViewProps['engine'];
  kept: Kept;
  notes: string[];
  stored: boolean;
  onStep: (game: Game) => void;
  onBack: () => void;
  onEnd: () => void;
}

function Table({ engine, kept, notes, stored, onStep, onBack, onEnd }: TableProps) {
  const library = useLibrary();
  const { game } = kept;
  const { attack } = game;
  const names = namesOf(library, game);
  const log = useMemo(() => logOf(game), [game.head, game.lines]);
  const attacked = game.lines.some((line) => line.includes('>'));
  const reviewed = useAnswer(engine, attacked ? { verb: 'review', body: { log } } : undefined);
  const review = attacked ? (reviewed.answer?.data as ReviewAnswer | undefined) : undefined;

  useEffect(publishHeadline, []);
  const [pending, setPending] = useState<Pending | undefined>();
  useEffect(() => setPending(undefined), [attack?.by, attack?.on, attack?.rolled.length, attack?.defenseRolled.length, kept.past.length]);
  const oddsBody = attack && attackBody(game, attack, true);
  const odds = useAnswer(engine, oddsBody && { verb: 'run', body: oddsBody });
  const run = oddsBody ? (odds.answer?.data as RunAnswer | undefined) : undefined;
  const dice = run?.attacks[0];
  const expected: Record<Side, number | undefined> = {
    attacker: dice && Number.isInteger(dice.attack_dice) ? dice.attack_dice : undefined,
    defender: dice && Number.isInteger(dice.defense_dice) ? dice.defense_dice : undefined,
  };
  const partly = (count: number, side: Side): boolean => count > 0 && expected[side] !== undefined && count < expected[side]!;
  const complete = attack !== undefined && attack.rolled.length > 0 && !partly(attack.rolled.length, 'attacker') && !partly(attack.defenseRolled.length, 'defender') && !pending;
  const body = attack && complete ? adviseBody(game, attack) : undefined;
  const advised = useAnswer(engine, body && { verb: 'advise', body });
  const early = body && !advised.busy ? (advised.answer?.data as AdviseAnswer | undefined) : undefined;
  // A defender who gains nothing by spending more has decided: the attacker's cards follow.
  const later = attack && early && early.to_move === 'defender' && early.options.length > 0 && isSettled(attack.defenseSteps, early, 'defender') ? adviseBody(game, { ...attack, defended: true }) : undefined;
  const followed = useAnswer(engine, later && { verb: 'advise', body: later });
  const advice = later ? (followed.busy ? undefined : (followed.answer?.data as AdviseAnswer | undefined)) : early;

  const set = (next: Attack): void => onStep({ ...game, attack: next });
  const nameOf = (key: string): string => (key === 'a1' ? names.nameOf(fighterOf(game, attack?.by)) : key === 'd' ? names.nameOf(fighterOf(game, attack?.on)) : key);
  const say = sayer(library, names.rules, nameOf);
  const mover: Side | undefined = advice && advice.options.length > 0 ? (advice.to_move ?? undefined) : undefined;
  // The best play stands beside the dice, too: the table of all plays is out of sight on a phone.
  const best = mover && advice?.options[0];
  const damage = attack && damageOf(attack, advice);

  const setSteps = (side: Side, more: Step, done: boolean): void => {
    if (!attack) return;
    set(side === 'attacker' ? { ...attack, steps: [...attack.steps, more], decided: done } : { ...attack, defenseSteps: [...attack.defenseSteps, more], defended: done });
  };
  const take = ({ spends, rerolls }: Play, side: Side): void => {
    if (rerolls.length > 0) setPending({ side, spent: spends, reroll: rerolls });
    else if (attack && side === 'attacker' && attack.defenseRolled.length > 0) set(spends.length > 0 ? { ...attack, steps: [...attack.steps, { spent: spends, from: [], to: [] }] } : { ...attack, closed: true });
    else setSteps(side, { spent: spends, from: [], to: [] }, spends.length === 0);
  };
  const rollAgain = (results: string[]): void => {
    if (!pending) return;
    setSteps(pending.side, { spent: pending.spent, from: pending.reroll, to: results }, false);
    setPending(undefined);
  };
  const rolled = (side: Side, faces: string[]): void => {
    if (!attack) return;
    const { damage: _typed, ...rest } = attack;
    if (side === 'attacker') set({ ...rest, rolled: faces, steps: [], decided: false, defenseRolled: [], defenseSteps: [], defended: false });
    else set({ ...rest, decided: rest.decided || isSettled(rest.steps, advice, 'attacker'), defenseRolled: faces, defenseSteps: [], defended: false, closed: false });
  };
  const finish = (): void => {
    if (!attack || damage === undefined) return;
    const decided = attack.decided || (attack.defenseRolled.length === 0 && isSettled(attack.steps, advice, 'attacker'));
    const defended = attack.defended || (attack.defenseRolled.length > 0 && isSettled(attack.defenseSteps, advice, 'defender'));
    onStep(record({ ...game, attack: { ...attack, decided, defended } }, damage));
    scrollTo(0, 0);
  };

  const worth = (value: number): string => viewWords.damageOf(figure(value));
  const sentence = advice ? sentenceOf(advice, worth, say, false) : undefined;
  const target = run?.ships.d;
  const [by, on] = [fighterOf(game, attack?.by), fighterOf(game, attack?.on)];
  const said = ((): string => {
    if (game.over) return review?.sentence ?? playWords.noAttacks;
    if (!attack || !on) return attack ? playWords.whom : allShot(game) ? playWords.allShot : playWords.whoShoots;
    if (pending) return viewWords.rollNow(pending.reroll);
    if (sentence) return sentence.best;
    if (attack.rolled.length > 0 && !complete) {
      const attacking = partly(attack.rolled.length, 'attacker');
      return viewWords.moreDice((expected.attacker ?? 0) - attack.rolled.length, (expected.defender ?? 0) - attack.defenseRolled.length, attacking);
    }
    if (!target) return '…';
    const mortal = on.hull > 0;
    return playWords.odds(nameOf('a1'), nameOf('d'), percent(mortal ? target.destroyed : (target.damage.at_least[1] ?? 0)), mortal ? words.destroyed : words.anyDamage, figure(target.damage.mean));
  })();
  const busy = odds.busy || advised.busy || followed.busy || reviewed.busy;
  return (
    <main class={`two adviseView playView ${game.over ? 'isOver' : ''}`} aria-busy={busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('play')}</h1>
        <Score game={game} review={review} />
        {odds.error && attack ? <Wrong error={odds.error} rules={names.rules} nameOf={nameOf} /> : advised.error && body ? <Wrong error={advised.error} rules={names.rules} nameOf={nameOf} /> : <p class="sentence">{said}</p>}
      </section>
      <section class="card tableCard" aria-label={playWords.attackOf}>
        <div class="roundBar">
          <h2>{playWords.round(game.round)}</h2>
          <button type="button" class="quiet" disabled={kept.past.length === 0} onClick={onBack}>{playWords.takeBack}</button>
          {game.over ? (
            <button type="button" onClick={() => onStep({ ...game, over: false })}>{playWords.toTable}</button>
          ) : (
            <>
              <button type="button" class="quiet" onClick={() => onStep({ ...game, over: true })}>{playWords.toReview}</button>
              <button type="button" class={!attack && allShot(game) ? 'primary' : ''} disabled={attack !== undefined} onClick={() => (onStep(nextRound(game)), scrollTo(0, 0))}>{playWords.nextRound}</button>
            </>
          )}
        </div>
        {notes.map((note) => <p class="hint" key={note}>{note}</p>)}
        {stored ? null : <p class="mark">{playWords.notStored}</p>}
        {reviewed.error && <Wrong error={reviewed.error} rules={names.rules} />}
        {!game.over && (
          <>
            <Choosing game={game} names={names} onStep={onStep} />
            {attack && on && by && (
              <>
                <Situation attack={attack} weapons={weaponsOf(library, names.shipOf(by), names.rules)} onChange={set} />
                {(['attacker', 'defender'] as const).map((side) =>
                  side === 'defender' && attack.rolled.length === 0 ? null : (
                    <Fragment key={side}>
                      <DiceOnTable
                        side={side}
                        who={names.nameOf(side === 'attacker' ? by : on)}
                        point={pointOf(attack)}
                        expected={expected[side]}
                        pending={pending?.side === side ? pending : undefined}
                        onRolled={(faces) => rolled(side, faces)}
                        onAgain={rollAgain}
                        onCancel={() => setPending(undefined)}
                      />
                      {best && mover === side && !pending && (
                        <button type="button" class="playButton bestPlay" onClick={() => take(best, side)}>{capital(say(best.play))}</button>
                      )}
                    </Fragment>
                  ),
                )}
                <div class="recordRow">
                  <Stepper label={playWords.damage} value={damage} unset={playWords.byDice} onChange={(typed) => {
                    const { damage: _old, ...rest } = attack;
                    set(typed === undefined ? rest : { ...rest, damage: typed });
                  }} />
                  <button type="button" class="primary" disabled={damage === undefined} onClick={finish}>
                    {damage === undefined ? playWords.recordUnknown : playWords.record(damage)}
                  </button>
                </div>
              </>
            )}
          </>
        )}
      </section>
      <section class="details" aria-label={words.details}>
        <Status asked={reviewed} />
        {!game.over && mover && advice && <Plays answer={advice} worth={figure} nameOf={nameOf} say={(play) => capital(say(play))} onTake={(play) => take(play, mover)} />}
        {!game.over && attack && on && (
          <CaveatLines
            nameOf={nameOf}
            caveats={run}
            rules={names.rules}
            facts={Object.fromEntries(attack.facts.map((fact) => [fact, true]))}
            onFact={(name, value) => {
              // A log can state only facts that hold.
              const rest = attack.facts.filter((fact) => fact !== name);
              set({ ...attack, facts: value === true ? [...rest, name] : rest });
            }}
          />
        )}
        {game.over && <Review review={review} game={game} names={names} log={log} onEnd={onEnd} />}
      </section>
      <section class="question" aria-label={playWords.ships}>
        {!game.over && <Fighters game={game} names={names} onChange={(fighter) => onStep(setFighter(game, fighter))} />}
      </section>
    </main>
  );
}

const allShot = (game: Game): boolean => game.fighters.every((fighter) => fighter.hasShot || isGone(fighter));

const spendsNothing = (advice: AdviseAnswer): Play | undefined => advice.options.find((play) => play.spends.length === 0 && play.rerolls.length === 0);

/// Whether a side has nothing left to decide: it has no option, or has played and gains nothing by spending more.
function isSettled(steps: Step[], advice: AdviseAnswer | undefined, side: Side): boolean {
  if (!advice) return false;
  if (advice.options.length === 0 || advice.to_move !== side) return true;
  return steps.length > 0 && (spendsNothing(advice)?.loss ?? 1) <= 1e-9;
}

/// The damage of an attack: typed, or what follows from the dice and what was spent. Undefined while it is uncertain.
export function damageOf(attack: Attack, advice: AdviseAnswer | undefined): number | undefined {
  if (attack.damage !== undefined) return attack.damage;
  if (!advice) return undefined;
  const whole = (value: number): number | undefined => (Math.abs(value - Math.round(value)) < 1e-6 ? Math.round(value) : undefined);
  const decided = attack.decided || isSettled(attack.steps, advice, 'attacker');
  if (decided && Math.abs(advice.value) < 1e-9 && attack.defenseRolled.length === 0) return 0;
  if (attack.defenseRolled.length === 0) return advice.to_move === null ? whole(advice.value) : undefined;
  if (advice.options.length === 0) return whole(advice.value);
  const nothing = spendsNothing(advice);
  const settled = advice.to_move === 'attacker' ? attack.closed || (nothing?.loss ?? 1) <= 1e-9 : attack.defended;
  return settled && nothing ? whole(nothing.now) : undefined;
}

/// Luck and skill so far of both players, always in sight.
function Score({ game, review }: { game: Game; review: ReviewAnswer | undefined }) {
  return (
    <dl class="score" aria-label={playWords.soFar}>
      {game.players.map((name, i) => {
        const player = review?.players.find((one) => one.name === name);
        return (
          <div key={i} class={i === 0 ? 'attack' : 'defense'}>
            <dt>{name}</dt>
            <dd>{playWords.luckOf(player ? signed(player.luck) : '±0.00')} · {playWords.skillOf(player ? signed(-player.loss) : '±0.00')}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/// Who shoots at whom: a tap each.
function Choosing({ game, names, onStep }: { game: Game; names: Names; onStep: (game: Game) => void }) {
  const { attack } = game;
  const by = fighterOf(game, attack?.by);
  // A ship that is destroyed at its own initiative still shoots in that round.
  const mayShoot = (fighter: Fighter): boolean => {
    const killer = fighterOf(game, fighter.destroyedBy);
    return !isGone(fighter) || (killer !== undefined && !fighter.hasShot && names.initiativeOf(killer) === names.initiativeOf(fighter));
  };
  const living = game.fighters.filter(mayShoot);
  const inOrder = [...living].sort((a, b) => Number(a.hasShot) - Number(b.hasShot) || (names.initiativeOf(b) ?? -1) - (names.initiativeOf(a) ?? -1));
  const targets = by ? game.fighters.filter((fighter) => fighter.player !== by.player && !isGone(fighter)) : [];
  const begin = (fighter: Fighter): void => {
    const foes = game.fighters.filter((other) => other.player !== fighter.player && !isGone(other));
    onStep({ ...game, attack: { ...newAttack(fighter.name), ...(foes.length === 1 ? { on: foes[0]!.name } : {}) } });
  };
  if (!attack || !by) {
    return (
      <div class="chooseShips" role="group" aria-label={playWords.whoShoots}>
        <h3>{playWords.whoShoots}</h3>
        {inOrder.map((fighter) => (
          <button key={fighter.name} type="button" class={`shipButton ${fighter.player === 0 ? 'attack' : 'defense'} ${fighter.hasShot ? 'hasShot' : ''}`} onClick={() => begin(fighter)}>
            <b>{names.initiativeOf(fighter) ?? '–'}</b> {names.nameOf(fighter)}
          </button>
        ))}
      </div>
    );
  }
  const fixed = attack.rolled.length > 0;
  return (
    <div class="chooseShips" role="group" aria-label={playWords.whom}>
      <h3>
        {names.nameOf(by)} →{' '}
        <button type="button" class="link" onClick={() => {
          const { attack: _dropped, ...rest } = game;
          onStep(rest);
        }}>{playWords.cancelAttack}</button>
      </h3>
      {targets.filter((fighter) => !fixed || fighter.name === attack.on).map((fighter) => (
        <button
          key={fighter.name}
          type="button"
          class={`shipButton ${fighter.player === 0 ? 'attack' : 'defense'}`}
          aria-pressed={fighter.name === attack.on}
          onClick={() => onStep({ ...game, attack: { ...attack, on: fighter.name } })}
        >
          {names.nameOf(fighter)} {fighter.hull > 0 && <small>{health(fighter) - fighter.damage}</small>}
        </button>
      ))}
    </div>
  );
}

function Situation({ attack, weapons, onChange }: { attack: Attack; weapons: { value: string; label: string }[]; onChange: (attack: Attack) => void }) {
  return (
    <div class="shotFields">
      <Choose label={words.range} value={attack.range} options={[0, 1, 2, 3].map((value) => ({ value, label: String(value) }))} onChange={(range) => onChange({ ...attack, range })} />
      <Toggle on={attack.obstructed} onChange={(obstructed) => onChange({ ...attack, obstructed })}>{words.obstructed}</Toggle>
      {weapons.length > 1 && (
        <label class="weapon">
          <span>{words.weapon}</span>
          <select
            value={attack.weapon ?? 'primary'}
            onChange={(event) => {
              const { value } = event.target as HTMLSelectElement;
              const { weapon: _old, ...rest } = attack;
              onChange(value === '' ? rest : { ...rest, weapon: value });
            }}
          >
            {weapons.filter((weapon) => weapon.value !== 'best').map((weapon) => (
              <option key={weapon.value} value={weapon.value === '' ? 'primary' : weapon.value}>{weapon.label}</option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
