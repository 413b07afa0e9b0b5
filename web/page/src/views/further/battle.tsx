/// The view Battle: which of two squads wins, refined while the user looks at it; how each ship does; what would change it.
import { squads } from 'virtual:game-data';
import { useState } from 'preact/hooks';
import type { BattleAnswer, BattleWorthAnswer } from 'salvo-engine';
import type { Answer, Engine } from '../../engine/engine';
import { Curves } from '../../parts/curves';
import { around, figure, percent, signedPercent } from '../../parts/format';
import { ofSet, setOf, upgradeName, useLibrary } from '../../parts/library';
import { useOwnCards } from '../../parts/own';
import { RuleFields } from '../../parts/rules';
import { sayPlainly } from '../../parts/sentence';
import { Share } from '../../parts/share';
import { BareNumbers, ShipField, Upgrades } from '../../parts/ship';
import { SquadField } from '../../parts/squadField';
import { Numbers, Wrong } from '../../parts/status';
import { cardIdsIn } from '../../state/cardIds';
import { squadName } from '../../state/fight';
import { battleRequest, commandOfRequest, refinements, withoutKey } from '../../state/further/fightRequest';
import { packSquad } from '../../state/pack';
import { limits, newId, newShip, type FightQuestion, type FightSide, type Rules, type Ship } from '../../state/question';
import type { Request } from '../../state/request';
import { words } from '../../words/en';
import { viewWords } from '../../words/views';
import type { ViewProps } from '../props';
import { Assumptions, Bars, FightFields, flightTiles, FoldedTiles, HowSure, isPacked, policyTiles, thousands, Tiles, useCards, useWarm, usual } from './fightParts';
import { fightWords } from './fightWords';
import { useRefined, useVariants, type Refined, type Variant } from './refine';

/// The battles of the first answers. The last one has as many as the program plays. The first ones are few, since the attacks of new
/// ships are solved when a battle first needs them.
const FIRST_TRIALS = [20, 500, 10_000, 40_000];
const WORTH_TRIALS = [2000];
const VARIANT_TRIALS = 4000;
/// Whether a second worker can compute what would change the answer while the first one refines it.
const manyCores = navigator.hardwareConcurrency >= 4;
/// A choice matters if it changes the win chance by at least this much.
const MIN_CHANGE = 0.05;
/// Battles of up to this many ships are solved, so the samples after the first are skipped.
const SOLVED_SHIPS = 3;

type FightShip = BattleAnswer['ships'][number];

const isSmall = (answer: Answer): boolean => (answer.data as BattleAnswer).ships.length <= SOLVED_SHIPS;

/// The name of a ship without that of its type. Bare dice have none, only their number.
const shipNamed = ({ title }: FightShip): string => (/^a\d+$/.test(title) ? fightWords.unnamed(title) : title.replace(/ \([^()]*\)$/, ''));

/// The names of the sides: those of their squads, else those of their ships, in short if that still tells them apart.
function sideNames(question: FightQuestion, ships: FightShip[]): [string, string] {
  const named = (join: (names: string[]) => string): [string, string] =>
    sides.map((name) => {
      const { squad } = question[name];
      return (squad?.text.startsWith('{') && squadName(squad)) || join(ships.filter((ship) => ship.side === name).map(shipNamed));
    }) as [string, string];
  const short = named(fightWords.shipsNamedShort);
  return short[0] === short[1] ? named(fightWords.shipsNamed) : short;
}

export function View({ question, engine, onChange }: ViewProps<FightQuestion>) {
  const cards = useOwnCards().textsFor(cardIdsIn(question));
  /// The request, as JSON, of the question for which the user asked what its upgrades are worth.
  const [priced, setPriced] = useState('');
  const request = battleRequest(question, cards);
  const key = JSON.stringify(request);
  const worth = useRefined(engine, request && priced === key ? refinements({ ...request, body: { ...request.body, worth: true } }, WORTH_TRIALS) : []);
  const pricing = priced === key && (worth.busy || worth.refining);
  const refined = useRefined(engine, request ? refinements(request, FIRST_TRIALS) : [], { isLast: isSmall, paused: pricing });
  const answer = request ? (refined.answer?.data as BattleAnswer | undefined) : undefined;
  useCards(answer?.cards);
  /// Squads may bring their own card set.
  const usedRules = { ...question.rules, ...(answer?.cards ? { cards: answer.cards } : {}) };
  const coming = isPacked(question.mine.squad) || isPacked(question.theirs.squad);
  useWarm(engine, request === undefined);
  const set = (change: Partial<FightQuestion>): void => onChange((now) => ({ ...now, ...change }));
  const example = async (): Promise<void> => {
    const [mine, theirs] = await Promise.all(squads.slice(-2).reverse().map(({ text }) => packSquad(text)));
    set({ mine: { squad: mine!, ships: [] }, theirs: { squad: theirs!, ships: [] } });
  };
  const [mine, theirs] = sideNames(question, answer?.ships ?? []);
  const stale = refined.busy ? 'stale' : '';
  return (
    <main class="two fightView" aria-busy={coming || (request !== undefined && refined.busy)}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('battle')}</h1>
        {answer && !(refined.error && refined.busy) ? (
          <Headline {...{ answer, mine, theirs, stale }} />
        ) : request && refined.error ? (
          <Wrong error={refined.error} rules={usedRules} />
        ) : request || coming ? (
          <p class="bigLine waiting"><span class="big">…</span> <span class="what">{words.working}</span></p>
        ) : (
          <>
            <p class="sentence">{fightWords.ask}</p>
            <p class="adders">
              <button type="button" class="example" onClick={() => void example()}>{fightWords.showExample(squads.at(-1)!.name, squads.at(-2)!.name)}</button>
            </p>
          </>
        )}
      </section>
      <section class="question" aria-label={words.question}>
        <Side name="mine" label={fightWords.mine} side={question.mine} rules={question.rules} onChange={(side) => set({ mine: side })} />
        <Side name="theirs" label={fightWords.theirs} side={question.theirs} rules={question.rules} onChange={(side) => set({ theirs: side })} />
        <p class="adders">
          <button type="button" onClick={() => set(swapped(question))}>{fightWords.swap}</button>
        </p>
        <h2>{fightWords.flight}</h2>
        <Tiles label={fightWords.flight} tiles={flightTiles} value={question.flight ?? usual.flight} onChange={(flight) => set({ flight })} />
        <div class="card rulesCard">
          <FoldedTiles label={fightWords.myPolicy} tiles={policyTiles} value={question.myPolicy ?? usual.policy} onChange={(myPolicy) => set({ myPolicy })} />
          <FoldedTiles label={fightWords.theirPolicy} tiles={policyTiles} value={question.theirPolicy ?? usual.policy} onChange={(theirPolicy) => set({ theirPolicy })} />
          <details class="more">
            <summary>{fightWords.moreRules}</summary>
            <FightFields
              rules={question.rules}
              rounds={question.rounds}
              onRules={(rules) => set({ rules })}
              onRounds={(rounds) => onChange(rounds === undefined ? withoutKey(question, 'rounds') : { ...question, rounds })}
            />
            <label class="field">
              <span>{fightWords.first}</span>
              <select
                value={question.first ?? ''}
                onChange={(event) => {
                  const first = (event.target as HTMLSelectElement).value as FightQuestion['first'] | '';
                  onChange(first ? { ...question, first } : withoutKey(question, 'first'));
                }}
              >
                {['', 'mine', 'theirs'].map((id) => <option key={id} value={id}>{fightWords.firstName(id)}</option>)}
              </select>
            </label>
          </details>
          <RuleFields engine rules={question.rules} onChange={(rules) => set({ rules })} />
        </div>
      </section>
      <section class={`details ${stale}`} aria-label={words.details}>
        {answer && refined.request && (
          <>
            <HowSure
              refined={refined}
              sure={answer.trials === undefined ? fightWords.solved : !refined.refining ? fightWords.played(thousands(answer.trials), answer.seed ?? 1) : isSmall(refined.answer!) ? fightWords.solving : fightWords.refining(thousands(answer.trials))}
            />
            {refined.error && !refined.busy && <Wrong error={refined.error} rules={usedRules} />}
            <Alive answer={answer} names={{ mine, theirs }} />
            <Spreads answer={answer} mine={mine} theirs={theirs} />
            <Parts answer={answer} names={{ mine, theirs }} />
            <Worth {...{ worth, pricing, mine, rules: usedRules }} on={priced === key} onAsk={() => setPriced(key)} onStop={() => setPriced('')} />
            <Variants {...{ engine, question, answer, mine, request: request! }} on={!refined.busy && (!refined.refining || manyCores) && !pricing} onChange={onChange} />
            {answer.played_to_the_end && <p class="hint">{fightWords.toTheEnd(percent(answer.played_to_the_end.lower), percent(answer.played_to_the_end.upper))}</p>}
            <Assumptions caveats={answer} assumptions={answer.assumptions} rules={usedRules} />
            <Share title={fightWords.against(mine, theirs)} lines={() => summary(answer, mine, theirs)} json={refined.answer?.text} command={commandOfRequest(refined.request)} />
          </>
        )}
      </section>
    </main>
  );
}

function swapped(question: FightQuestion): Partial<FightQuestion> {
  const { mine, theirs, myPolicy, theirPolicy, first } = question;
  return {
    mine: theirs,
    theirs: mine,
    ...(theirPolicy || myPolicy ? { myPolicy: theirPolicy!, theirPolicy: myPolicy! } : {}),
    ...(first ? { first: first === 'mine' ? 'theirs' : 'mine' } : {}),
  };
}

function Headline({ answer, mine, theirs, stale }: { answer: BattleAnswer; mine: string; theirs: string; stale: string }) {
  const part = (chance: number): { style: string } => ({ style: `width: ${(100 * chance).toFixed(2)}%` });
  return (
    <div class={stale}>
      <div class="bigLine">
        <div>
          <p class="who">{fightWords.whoWins(mine, theirs)}</p>
          <p class="big">
            {percent(answer.win)}<small>{around(answer.win_se, 100, 1)}</small> <span class="what">{fightWords.wins(mine)}</span>
          </p>
        </div>
        <p class="mean">
          <b>{figure(answer.my_points, 1)} : {figure(answer.their_points, 1)}</b> <span>{fightWords.points}</span>
        </p>
      </div>
      <div class="winBar" aria-hidden="true">
        <span class="mine" {...part(answer.win)} />
        <span class="even" {...part(answer.draw)} />
        <span class="theirs" {...part(answer.loss)} />
      </div>
      <p class="why">{fightWords.otherwise(theirs, percent(answer.loss), percent(answer.draw))} · {fightWords.lasts(figure(answer.mean_rounds, 1))}</p>
    </div>
  );
}

/// A side of the fight: a squad, or ships one by one.
function Side({ name, label, side, rules, onChange }: { name: 'mine' | 'theirs'; label: string; side: FightSide; rules: Rules; onChange: (side: FightSide) => void }) {
  const { squad, ships } = side;
  const setShips = (next: Ship[]): void => onChange({ ships: next });
  return (
    <section class={`fightSide ${name}`} aria-label={label}>
      <h2>{label}</h2>
      {ships.length === 0 && <SquadField label={viewWords.squadFieldLabel} squad={squad} onChange={(next) => onChange(next ? { squad: next, ships: [] } : { ships: [] })} />}
      {!squad && (
        <>
          {ships.map((ship, i) => (
            <section class={`card ${name === 'mine' ? 'attack' : 'defense'}`} key={ship.id} aria-label={fightWords.shipOf(label, i + 1)}>
              <header>
                <ShipField ship={ship} role="attacker" rules={rules} label={fightWords.shipOf(label, i + 1)} onChange={(next) => setShips(ships.map((old) => (old === ship ? withHull(next) : old)))} />
                {ships.length < limits.fightShips && (
                  <button type="button" class="icon" title={fightWords.again} aria-label={fightWords.againNamed(i + 1)} onClick={() => setShips(ships.flatMap((old) => (old === ship ? [old, { ...structuredClone(old), id: newId() }] : [old])))}>+</button>
                )}
                <button type="button" class="icon" aria-label={words.remove(fightWords.shipOf(label, i + 1))} onClick={() => setShips(ships.filter((old) => old !== ship))}>×</button>
              </header>
              <BareNumbers ship={ship} role="defender" onChange={(next) => setShips(ships.map((old) => (old === ship ? next : old)))} />
              <Upgrades ship={ship} rules={rules} onChange={(next) => setShips(ships.map((old) => (old === ship ? next : old)))} />
            </section>
          ))}
          <p class="adders">
            {ships.length === 0 && squads.map((example) => (
              <button key={example.name} type="button" class="quiet" onClick={() => void packSquad(example.text).then((next) => onChange({ squad: next, ships: [] }))}>
                {fightWords.example}: {example.name}
              </button>
            ))}
            {ships.length < limits.fightShips && (
              <button type="button" onClick={() => setShips([...ships, newShip()])}>{ships.length === 0 ? fightWords.shipByShip : fightWords.addShip}</button>
            )}
          </p>
        </>
      )}
    </section>
  );
}

/// Gives bare dice hull and agility: a battle needs something to destroy.
const withHull = (ship: Ship): Ship => (ship.pilot || ship.ship || ship.hull !== undefined ? ship : { ...ship, agility: 2, hull: 4 });

/// Numbers ships that share a name, since charts and tables list each of them separately.
function numbered(ships: FightShip[]): string[] {
  const names = ships.map(shipNamed);
  return names.map((name, i) => (names.filter((other) => other === name).length > 1 ? words.numbered(name, names.slice(0, i + 1).filter((other) => other === name).length) : name));
}

interface Sides {
  mine: string;
  theirs: string;
}
const sides = ['mine', 'theirs'] as const;

function Alive({ answer, names }: { answer: BattleAnswer; names: Sides }) {
  return (
    <div class="aliveCharts">
      {sides.map((side) => {
        const ships = answer.ships.filter((ship) => ship.side === side);
        const labels = numbered(ships);
        return (
          <div key={side}>
            <h3>{fightWords.alive(names[side])}</h3>
            <Curves axis={fightWords.afterRound} title={fightWords.alive(names[side])} curves={ships.map((ship, i) => ({ name: labels[i]!, values: ship.alive }))} />
            <Numbers
              caption={fightWords.alive(names[side])}
              head={[fightWords.afterRound, ...labels]}
              rows={ships[0]!.alive.map((_, round) => [round, ...ships.map((ship) => percent(ship.alive[round]!))])}
            />
          </div>
        );
      })}
    </div>
  );
}

function Spreads({ answer, mine, theirs }: { answer: BattleAnswer; mine: string; theirs: string }) {
  const spread = answer.difference.map(({ points, probability }) => ({
    label: points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0',
    value: probability,
    side: points > 0 ? 'mine' : points < 0 ? 'theirs' : 'even',
  }));
  const first = answer.rounds.findIndex((chance) => chance > 0);
  const rounds = answer.rounds.map((value, k) => ({ label: String(k), value })).slice(Math.max(0, first));
  const keys = [{ side: 'mine', name: fightWords.aheadMine(mine) }, { side: 'theirs', name: fightWords.aheadMine(theirs) }, { side: 'even', name: fightWords.even }].filter(({ side }) => spread.some((bar) => bar.side === side));
  return (
    <div class="spreads">
      <div>
        <h3>{fightWords.pointsSpread}</h3>
        <Bars bars={spread} title={fightWords.pointsSpread} axis={fightWords.points} keys={keys} />
        <Numbers caption={fightWords.pointsSpread} head={[fightWords.pointsAxis(mine), viewWords.chance]} rows={spread.map(({ label, value }) => [label, percent(value)])} />
      </div>
      <div>
        <h3>{fightWords.roundsSpread}</h3>
        <Bars bars={rounds} title={fightWords.roundsSpread} axis={fightWords.roundsAxis} />
        <Numbers caption={fightWords.roundsSpread} head={[fightWords.roundsAxis, viewWords.chance]} rows={rounds.map(({ label, value }) => [label, percent(value)])} />
      </div>
    </div>
  );
}

function Parts({ answer, names }: { answer: BattleAnswer; names: Sides }) {
  return (
    <>
      {sides.map((side) => {
        const ships = answer.ships.filter((ship) => ship.side === side);
        const labels = numbered(ships);
        return (
          <Numbers
            key={side}
            open
            stacked
            caption={fightWords.parts(names[side])}
            head={[fightWords.ship, fightWords.survives, fightWords.does, fightWords.takes, fightWords.earns]}
            rows={ships.map((ship, i) => [
              labels[i]!,
              <>{percent(ship.survives)} <small>{fightWords.alone(percent(ship.last))}</small></>,
              <>{figure(ship.damage_done)} <small>{fightWords.inShots(figure(ship.shots, 1))}</small></>,
              figure(ship.damage_taken),
              figure(ship.points_earned),
            ])}
          />
        );
      })}
    </>
  );
}

/// What the parts of my side are worth, once it is asked for.
function Worth({ worth, on, pricing, mine, rules, onAsk, onStop }: {
  worth: Refined;
  on: boolean;
  pricing: boolean;
  mine: string;
  rules: Rules;
  onAsk: () => void;
  onStop: () => void;
}) {
  const library = useLibrary();
  if (!on) {
    return (
      <p class="adders">
        <button type="button" onClick={onAsk}>{fightWords.askWorth(mine)}</button>
      </p>
    );
  }
  const answer = worth.busy ? undefined : (worth.answer?.data as BattleWorthAnswer | undefined);
  const nameOf = (what: string): string => {
    const id = /^upgrade ([a-z0-9-]+)$/.exec(what)?.[1];
    return fightWords.worthOf(what, id === undefined ? undefined : upgradeName(library, id, rules));
  };
  const pilotNamed = (id: string): string => ofSet(library.names.pilots, id.replace(/ \d+$/, ''), setOf(rules))?.name ?? id;
  return (
    <section class="worth">
      {pricing && (
        <p class="working" role="status">
          <progress value={worth.progress} aria-label={words.working} /> <span>{words.working}</span>
          <button type="button" onClick={onStop}>{words.stop}</button>
        </p>
      )}
      {worth.error && !worth.busy && <Wrong error={worth.error} rules={rules} />}
      {answer && answer.worth.length === 0 && <p class="hint">{fightWords.noWorth}</p>}
      {answer && answer.worth.length > 0 && (
        <Numbers
          open
          caption={fightWords.worth(mine)}
          head={[fightWords.what, fightWords.gain]}
          rows={answer.worth.map(({ ship, what, points, gain, gain_se }) => [
            <>{nameOf(what)} <small>{pilotNamed(ship)}{points ? ` · ${viewWords.points(points)}` : ''}</small></>,
            <>{signedPercent(gain)}<small>{around(gain_se, 100, 1)}</small></>,
          ])}
        />
      )}
      {answer && <p class="hint">{fightWords.worthHint}</p>}
      {answer?.skipped.map(({ ship, what, why }) => <p class="hint" key={ship + what}>{fightWords.skipped(nameOf(what), sayPlainly(why, library, rules))}</p>)}
    </section>
  );
}

/// The battle with each other flight and policy: how much the answer depends on them.
function Variants({ engine, question, answer, mine, request, on, onChange }: {
  engine: Engine;
  question: FightQuestion;
  answer: BattleAnswer;
  mine: string;
  request: Request;
  on: boolean;
  onChange: (question: FightQuestion) => void;
}) {
  const others = [
    ...policyTiles.map(({ id, name }) => ({ change: { myPolicy: id }, keys: { my_policy: id }, label: fightWords.asShotByMe(name), how: fightWords.ifIShoot(name), now: answer.policy.mine === id })),
    ...policyTiles.map(({ id, name }) => ({ change: { theirPolicy: id }, keys: { their_policy: id }, label: fightWords.asShotByThem(name), how: fightWords.ifTheyShoot(name), now: answer.policy.theirs === id })),
    ...flightTiles.map(({ id, name }) => ({ change: { flight: id }, keys: { flight: id }, label: fightWords.asFlown(name), how: fightWords.ifFlown(name), now: answer.flight.id === id })),
  ].filter((other) => !other.now);
  const variants = others.map(({ label, keys }): Variant => {
    const body = { ...request.body, ...keys };
    const { engine: _engine, trials: _trials, ...solved } = body as Request['body'];
    // Play that is solved cannot be sampled.
    return { key: label, requests: [{ verb: 'battle', body: { ...solved, engine: 'sample', trials: VARIANT_TRIALS, sensitivity: false } }, { verb: 'battle', body: solved }] };
  });
  const { answers, done } = useVariants(engine, variants, on);
  const rows = others.flatMap((other) => {
    const played = answers.get(other.label)?.data as BattleAnswer | undefined;
    return played ? [{ ...other, win: played.win, change_: played.win - answer.win }] : [];
  });
  if (rows.length === 0) return null;
  const widest = rows.reduce((best, row) => (Math.abs(row.change_) > Math.abs(best.change_) ? row : best));
  return (
    <section class="variants">
      {Math.abs(widest.change_) > MIN_CHANGE ? (
        <p><b>{fightWords.sensitive(widest.how, mine, percent(widest.win, 0), percent(answer.win, 0))}</b></p>
      ) : (
        done && <p>{fightWords.insensitive}</p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={fightWords.otherwisePlayed}>
        <table>
          <caption>{fightWords.otherwisePlayed}</caption>
          <thead>
            <tr><th scope="col">{fightWords.what}</th><th scope="col">{fightWords.winChance}</th><th scope="col">{fightWords.change}</th></tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.label}>
                <th scope="row"><button type="button" class="link" onClick={() => onChange({ ...question, ...row.change })}>{row.label}</button></th>
                <td>{percent(row.win)}</td>
                <td class={Math.abs(row.change_) > MIN_CHANGE ? 'much' : ''}>{signedPercent(row.change_)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="howSure" role="status">{done ? fightWords.othersHint(thousands(VARIANT_TRIALS)) : <>{fightWords.others} <progress value={answers.size / variants.length} aria-label={words.working} /></>}</p>
    </section>
  );
}

function summary(answer: BattleAnswer, mine: string, theirs: string): string[] {
  return [
    fightWords.summary(mine, percent(answer.win), theirs, percent(answer.loss)),
    fightWords.summaryPoints(figure(answer.my_points, 1), figure(answer.their_points, 1), figure(answer.mean_rounds, 1)),
    ...answer.ships.map((ship) => fightWords.summaryShip(shipNamed(ship), percent(ship.survives))),
  ];
}
