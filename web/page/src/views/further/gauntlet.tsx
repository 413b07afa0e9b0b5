/// The view Gauntlet: each list against each, and which one to bring.
import { squads } from 'virtual:game-data';
import { useState } from 'preact/hooks';
import type { GauntletAnswer } from 'salvo-engine';
import { around, percent } from '../../parts/format';
import { Stepper } from '../../parts/controls';
import { RuleFields } from '../../parts/rules';
import { Share } from '../../parts/share';
import { SquadField } from '../../parts/squadField';
import { Numbers, Wrong } from '../../parts/status';
import { squadName } from '../../state/fight';
import { commandOfRequest, gauntletRequest, refinements, withoutKey } from '../../state/further/fightRequest';
import { isExport, packSquad } from '../../state/pack';
import { limits, type FightQuestion, type GauntletQuestion, type PackedSquad } from '../../state/question';
import { words } from '../../words/en';
import { viewWords } from '../../words/views';
import type { ViewProps } from '../props';
import { Assumptions, FightFields, flightTiles, FoldedTiles, HowSure, isPacked, policyTiles, thousands, Tiles, useCards, useWarm, usual } from './fightParts';
import { fightWords } from './fightWords';
import { useRefined } from './refine';

const FIRST_TRIALS = [300, 4000];

/// Lists beside the squads of the data, so that the example is more than one pair.
const further = ['Luke Skywalker | Wedge Antilles', 'Darth Vader | Soontir Fel'];
const examples = [...squads, ...further.map((text) => ({ name: text.replace(' | ', ' + '), text }))];

type Row = GauntletAnswer['squads'][number];
type Lists = GauntletQuestion['lists'];

export function View({ question, engine, onChange, onShow }: ViewProps<GauntletQuestion>) {
  const { lists } = question;
  /// The key of the field for a new list: adding a list changes it, which empties the field.
  const [fields, setFields] = useState(0);
  /// Whether a list of the link could not be unpacked, and was left out. The next list that the user enters clears it.
  const [damaged, setDamaged] = useState(false);
  const request = gauntletRequest(question);
  const refined = useRefined(engine, request ? refinements(request, FIRST_TRIALS) : []);
  const answer = request ? (refined.answer?.data as GauntletAnswer | undefined) : undefined;
  useCards(answer?.cards);
  /// Squads may bring their own card set.
  const usedRules = { ...question.rules, ...(answer?.cards ? { cards: answer.cards } : {}) };
  const coming = lists.some(({ squad }) => isPacked(squad));
  useWarm(engine, request === undefined);
  const set = (change: Partial<GauntletQuestion>): void => onChange((now) => ({ ...now, ...change }));
  const setLists = (change: (lists: Lists) => Lists): void => onChange((now) => ({ ...now, lists: change(now.lists) }));
  const setSquad = (old: PackedSquad, squad: PackedSquad | undefined): void => {
    // Another list of the link does not clear the error: only what the user does.
    if (!isPacked(old)) setDamaged(false);
    else if (!squad) setDamaged(true);
    setLists((now) => now.flatMap((list) => (list.squad !== old ? [list] : squad ? [{ ...list, squad }] : [])));
  };
  const add = (...squads: PackedSquad[]): void => {
    setDamaged(false);
    setLists((now) => [...now, ...squads.map((squad) => ({ squad, met: 1 }))].slice(0, limits.lists));
  };
  const addTexts = async (texts: string[]): Promise<void> => add(...(await Promise.all(texts.map(packSquad))));
  const names = lists.map((list, i) => squadName(list.squad) || answer?.squads[i]?.name || fightWords.list(i + 1));
  const here = new Set(lists.map((list) => list.squad.text));
  const stale = refined.busy ? 'stale' : '';
  const open = (row: number, column: number): void => onShow(pairOf(question, answer, row, column));
  return (
    <main class="two fightView gauntletView" aria-busy={coming || (request !== undefined && refined.busy)}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('gauntlet')}</h1>
        {answer && answer.squads.length === names.length ? (
          <Headline rows={answer.squads} names={names} stale={stale} />
        ) : request && refined.error ? (
          <Wrong error={refined.error} rules={usedRules} />
        ) : request || coming ? (
          <p class="bigLine waiting"><span class="big">…</span> <span class="what">{words.working}</span></p>
        ) : (
          <>
            <p class="sentence">{fightWords.askLists}</p>
            <p class="adders">
              <button type="button" class="example" onClick={() => void addTexts(examples.map(({ text }) => text))}>{fightWords.showLists(examples.map(({ name }) => name))}</button>
            </p>
          </>
        )}
      </section>
      <section class="question" aria-label={words.question}>
        <h2>{fightWords.lists}</h2>
        {damaged && <p class="error" role="alert">{viewWords.squadDamaged}</p>}
        {lists.map((list, i) => (
          <section class="listCard" key={list.squad.packed + i} aria-label={fightWords.list(i + 1)}>
            <header>
              <h3>{names[i]}</h3>
              <Stepper label={`${fightWords.list(i + 1)}: ${fightWords.met}`} value={list.met} least={1} most={99} onChange={(met) => setLists((now) => now.map((old) => (old === list ? { ...old, met: met ?? 1 } : old)))}>
                {fightWords.met}
              </Stepper>
              <button type="button" class="icon" aria-label={fightWords.removeList(i + 1)} onClick={() => setLists((now) => now.filter((old) => old !== list))}>×</button>
            </header>
            <details class="more">
              <summary>{viewWords.squad}</summary>
              <SquadField label={viewWords.squadFieldLabel} squad={list.squad} onChange={(squad) => setSquad(list.squad, squad)} />
            </details>
          </section>
        ))}
        {lists.length < limits.lists && (
          <section class="listCard" aria-label={fightWords.newList(lists.length)}>
            <h3>{fightWords.newList(lists.length)}</h3>
            <NewList key={fields} onAdd={(squad) => (setFields(fields + 1), add(squad))} />
            <p class="adders">
              {examples.filter(({ text }) => !here.has(text)).map(({ name, text }) => (
                <button key={name} type="button" class="quiet" onClick={() => void addTexts([text])}>{fightWords.example}: {name}</button>
              ))}
            </p>
          </section>
        )}
        <h2>{fightWords.flight}</h2>
        <Tiles label={fightWords.flight} tiles={flightTiles} value={question.flight ?? usual.flight} onChange={(flight) => set({ flight })} />
        <div class="card rulesCard">
          <FoldedTiles label={fightWords.policy} tiles={policyTiles} value={question.policy ?? usual.policy} onChange={(policy) => set({ policy })} />
          <details class="more">
            <summary>{fightWords.moreRules}</summary>
            <FightFields
              rules={question.rules}
              rounds={question.rounds}
              onRules={(rules) => set({ rules })}
              onRounds={(rounds) => onChange(rounds === undefined ? withoutKey(question, 'rounds') : { ...question, rounds })}
            />
          </details>
          <RuleFields engine rules={question.rules} onChange={(rules) => set({ rules })} />
        </div>
      </section>
      <section class={`details ${stale}`} aria-label={words.details}>
        {answer && refined.request && answer.squads.length === names.length && (
          <>
            <HowSure refined={refined} sure={answer.trials === undefined ? fightWords.solved : fightWords.pairBattles(thousands(answer.trials))} />
            {refined.error && !refined.busy && <Wrong error={refined.error} rules={usedRules} />}
            <Matrix rows={answer.squads} names={names} onOpen={open} />
            <Answers rows={answer.squads} names={names} />
            <Mix rows={answer.squads} names={names} />
            <Assumptions caveats={answer} assumptions={answer.assumptions} rules={usedRules} />
            <Share
              title={fightWords.gauntletTitle(names)}
              lines={() => ranked(answer.squads).map((i) => fightWords.gauntletLine(names[i]!, percent(answer.squads[i]!.field ?? 0)))}
              json={refined.answer?.text}
              command={commandOfRequest(refined.request)}
            />
          </>
        )}
      </section>
    </main>
  );
}

/// The field for a new list. A typed list is added by a button, since only the user knows when it is complete.
function NewList({ onAdd }: { onAdd: (squad: PackedSquad) => void }) {
  const [squad, setSquad] = useState<PackedSquad | undefined>(undefined);
  const take = (next: PackedSquad | undefined): void => (next && isExport(next.text) ? onAdd(next) : setSquad(next));
  return (
    <>
      <SquadField label={viewWords.squadFieldLabel} squad={squad} onChange={take} />
      {squad && <button type="button" onClick={() => onAdd(squad)}>{fightWords.addList}</button>}
    </>
  );
}

function pairOf(question: GauntletQuestion, answer: GauntletAnswer | undefined, row: number, column: number): FightQuestion {
  const { lists, flight, rounds, policy, rules } = question;
  return {
    view: 'battle',
    mine: { squad: lists[row]!.squad, ships: [] },
    theirs: { squad: lists[column]!.squad, ships: [] },
    ...(flight ? { flight } : {}),
    ...(rounds ? { rounds } : {}),
    ...(policy ? { myPolicy: policy, theirPolicy: policy } : {}),
    // A gauntlet reads all lists with the cards of the first one.
    rules: { ...rules, ...(answer?.cards ? { cards: answer.cards } : {}) },
  };
}

/// The places of the lists, best first.
const ranked = (rows: Row[]): number[] => rows.map((_, i) => i).sort((a, b) => (rows[b]!.field ?? 0) - (rows[a]!.field ?? 0));

function Headline({ rows, names, stale }: { rows: Row[]; names: string[]; stale: string }) {
  const [best, second] = ranked(rows);
  const row = rows[best!]!;
  const others = row.win.map((chance, i) => ({ chance, i })).filter(({ chance, i }) => i !== best && chance !== null) as { chance: number; i: number }[];
  const worst = others.reduce((low, other) => (other.chance < low.chance ? other : low), others[0] ?? { chance: 1, i: best! });
  return (
    <div class={stale}>
      <div class="bigLine">
        <div>
          <p class="who">{fightWords.bring(names[best!]!)}</p>
          <p class="big">
            {percent(row.field ?? 0)}<small>{around(row.field_se ?? undefined, 100, 1)}</small> <span class="what">{fightWords.onAverage}</span>
          </p>
        </div>
      </div>
      <p class="why">
        {others.length > 0 && fightWords.worst(names[worst.i]!, percent(worst.chance))} {second !== undefined && fightWords.behind(names[second]!, percent(rows[second]!.field ?? 0))}
      </p>
    </div>
  );
}

/// A phone shows the matrix of this many lists without scrolling.
const PHONE_LISTS = 3;

/// From -4, always lost, to 4, always won.
const heat = (chance: number): number => Math.round(8 * chance) - 4;

function Matrix({ rows, names, onOpen }: { rows: Row[]; names: string[]; onOpen: (row: number, column: number) => void }) {
  const order = ranked(rows);
  return (
    <>
      <h3>{fightWords.matrix}</h3>
      <div class={`scroll ${rows.length > PHONE_LISTS ? 'overflows' : ''}`} tabIndex={0} role="region" aria-label={fightWords.matrix}>
        <table class="gauntlet" aria-label={fightWords.matrix}>
          <thead>
            <tr>
              <th scope="col">{viewWords.squad}</th>
              <th scope="col">{fightWords.average}</th>
              {order.map((j, place) => <th key={j} scope="col" class="opponent">{place + 1}<span class="opponentName"> {names[j]}</span></th>)}
            </tr>
          </thead>
          <tbody>
            {order.map((i, place) => (
              <tr key={i}>
                <th scope="row"><span class="place">{place + 1}</span> {names[i]}</th>
                <td class="figure"><b>{percent(rows[i]!.field ?? 0)}</b></td>
                {order.map((j) => {
                  const chance = rows[i]!.win[j];
                  if (i === j || chance === null || chance === undefined) return <td key={j} class="self">–</td>;
                  return (
                    <td key={j} data-win={heat(chance)}>
                      <button type="button" aria-label={fightWords.openPair(names[i]!, names[j]!, percent(chance))} onClick={() => onOpen(i, j)}>{percent(chance)}</button>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">{fightWords.tapCell}</p>
    </>
  );
}

/// How often to bring each list: a sentence, since most lists are never brought.
function Mix({ rows, names }: { rows: Row[]; names: string[] }) {
  if (rows.every((row) => row.mix === undefined)) return <p class="hint">{fightWords.noMix}</p>;
  const brought = ranked(rows).filter((i) => (rows[i]!.mix ?? 0) >= 0.005);
  return <p>{fightWords.mix(brought.map((i) => ({ name: names[i]!, often: percent(rows[i]!.mix ?? 0, 0) })))}</p>;
}

/// For each list the one that beats it most often.
function Answers({ rows, names }: { rows: Row[]; names: string[] }) {
  return (
    <Numbers
      open
      caption={fightWords.answersTo}
      head={[fightWords.toBeat, fightWords.bringThis, fightWords.winChance]}
      rows={names.map((name, j) => {
        const best = rows.reduce((top, row, i) => ((row.win[j] ?? 0) > (rows[top]!.win[j] ?? 0) ? i : top), 0);
        return [name, best === j ? fightWords.same : names[best]!, percent(rows[best]!.win[j] ?? 0)];
      })}
    />
  );
}
