/// The view Compare: ranks up to six loadouts or the ships of a squad.
import { useState } from 'preact/hooks';
import type { CompareAnswer, RunAnswer, Caveats } from '../engine/answers';
import { ShotFields, weaponsOf } from '../parts/scenario';
import { useAll } from '../parts/all';
import { Curves } from '../parts/curves';
import { Stepper, Toggle } from '../parts/controls';
import { figure, percent, signed, signedPercent } from '../parts/format';
import { shipName, upgradeName, useLibrary, type Library } from '../parts/library';
import { FoldedOnTable } from '../parts/onTable';
import { useOwnCards } from '../parts/own';
import { ObjectiveField, RuleFields } from '../parts/rules';
import { BareNumbers, CardLines, ShipField, StatLine, Tokens, Upgrades, withoutChance } from '../parts/ship';
import { Share } from '../parts/share';
import { SquadField } from '../parts/squadField';
import { Scroll, Status, Wrong } from '../parts/status';
import { CaveatLines } from '../parts/caveats';
import { useAnswer } from '../parts/use';
import { readAddress } from '../state/address';
import { cardIdsIn } from '../state/cardIds';
import { limits, newId, newShip, newShot, type CompareQuestion, type Loadout, type Question, type Rules, type Ship, type Facts } from '../state/question';
import { commandOf, loadoutScenario, loadoutSpec, requestOf } from '../state/request';
import { words } from '../words/en';
import { viewWords } from '../words/views';
import type { ViewProps } from './props';
import '../parts/heat.css';

const figuresOffered = ['mean', 'hit', 'at_least:2', 'at_least:3', 'destroyed', 'per_point'] as const;

const exampleOf = {
  'second-edition': '#v1/compare?i=wedgeantilles.predator~f1&i=wedgeantilles.marksmanship~f1&d=:tieininterceptor~f1',
  'first-edition': '#v1/compare?i=wedgeantilles.predator~f1&i=wedgeantilles.marksmanship~f1&d=:tieinterceptor~f1&rules=first-edition',
};

interface Cell {
  figure: number | null;
  mean: number;
  atLeast: number[];
  destroyed: number | null;
  weapon: string;
  possible: boolean;
}
interface Row {
  name: string;
  cells: Cell[];
  average: number;
  behind: number;
  cost: number | null;
  caveats: Caveats;
}

export const emptyLoadout = (): Loadout => {
  const ship = newShip({ attack: 3, tokens: { focus: 1 } });
  return { ship, shot: newShot(ship.id, []), times: 1 };
};

const chance = (percent: number | undefined): string => (percent === undefined ? '' : words.byChance([percent]));
const tokenParts = (ship: Ship): string[] =>
  Object.entries(ship.tokens)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => (count > 1 ? `${count} ` : '') + words.token(kind) + chance(ship.chances?.[kind]));
const cardParts = (ship: Ship): string[] => [...(ship.faceup ?? []), ...(ship.facedown ? [`${ship.facedown} ${viewWords.facedown}`] : [])];

/// The parts of a loadout in words. The view lists those that all loadouts share only once.
function partsOf(library: Library, item: Loadout, rules: Rules): string[] {
  const { ship, shot } = item;
  return [
    shipName(library, ship, rules, 'attacker'),
    ...ship.upgrades.filter((id) => id !== shot.weapon).map((id) => upgradeName(library, id, rules)),
    ...tokenParts(ship),
    ...(ship.locks.length > 0 ? [words.lock + chance(ship.chances?.lock)] : []),
    ...(shot.ranges ? [words.range + words.byChance(Object.values(shot.ranges))] : shot.range === 2 ? [] : [`${words.range} ${shot.range}`]),
    ...(shot.chances?.obstructed !== undefined ? [words.obstructed + chance(shot.chances.obstructed)] : shot.obstructed ? [words.obstructed] : []),
    ...Object.values(shot.faces ?? {}).map((faces) => faces.join(' ')),
    ...cardParts(ship),
    ...(shot.weapon ? [viewWords.withWeapon(shot.weapon === 'best' ? words.bestWeapon : shot.weapon.startsWith('primary') ? words.primary : upgradeName(library, shot.weapon, rules))] : []),
    ...Object.entries(shot.facts).map(([name, value]) => words.factShort(name, value !== false)),
    ...(item.times > 1 ? [viewWords.timesOver(item.times)] : []),
  ];
}

function labelsOf(lists: string[][]): { common: string[]; labels: string[] } {
  const common = lists.length > 1 ? lists[0]!.filter((part) => lists.every((list) => list.includes(part))) : [];
  const labels = lists.map((list) => list.filter((part) => !common.includes(part)).join(', ') || viewWords.nothingElse);
  return { common, labels };
}

export function View({ question, engine, onChange }: ViewProps<CompareQuestion>) {
  const library = useLibrary();
  const own = useOwnCards();
  const cards = own.textsFor(cardIdsIn(question));
  const { items, targets, rules, by } = question;
  const [chosen, setChosen] = useState(0);

  // `compare` takes neither repeated attacks nor loadouts without a SPEC. If there are any, run a scenario for each loadout.
  const asRuns = targets.length > 0 && items.some((item) => item.times > 1 || loadoutSpec(item) === undefined);
  const plain = asRuns ? undefined : requestOf(question, cards);
  const asked = useAnswer(engine, plain, 40);
  const runs = asRuns ? items.flatMap((item) => targets.map((target): Question => ({ view: 'attack', scenario: loadoutScenario(item, target, rules) }))) : [];
  const played = useAll(engine, runs.flatMap((run) => requestOf(run, cards) ?? []));

  const { common, labels } = labelsOf(items.map((item) => partsOf(library, item, rules)));
  const targetNames = targets.map((ship) => targetName(library, ship, rules));
  const answer = asked.answer?.data as CompareAnswer | undefined;
  const rows = asRuns ? playedRows(played.answers, items, targets, labels, by) : answer ? comparedRows(answer, items, labels) : undefined;
  const against = asRuns || targets.length > 0 ? targetNames : (answer?.against.map((target) => target.name) ?? []);
  const shown = Math.min(chosen, Math.max(0, against.length - 1));
  const wrong = asRuns ? played.error : asked.error;
  const busy = asRuns ? played.busy : asked.busy;
  const caveats: Caveats | undefined = asRuns ? mergedCaveats(played.answers?.map((one) => one.data as Caveats) ?? []) : answer;
  const text = (value: number | null): string => (value === null ? '–' : figureText(value, by));
  const difference = (value: number): string => (by === 'mean' || by === 'per_point' ? signed(-value, by === 'mean' ? 2 : 3) : signedPercent(-value));
  const best = rows?.[0];
  const second = rows?.[1];
  const set = (next: Partial<CompareQuestion>): void => onChange({ ...question, ...next });
  const setItem = (at: number, item: Loadout): void => set({ items: items.map((old, i) => (i === at ? item : old)) });
  const nothing = items.length === 0 && !question.squad;
  const title = viewWords.compareTitle(labels, targetNames);
  return (
    <main class="two compareView" aria-busy={busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('compare')}</h1>
        <div class={busy && (asRuns || asked.slow) ? 'stale' : ''}>
          {best ? (
            <>
              {common.length > 0 && <p class="who">{viewWords.allHave(common.join(', '))}</p>}
              <p class="sentence">
                {best.name.charAt(0).toUpperCase() + best.name.slice(1)}: <span class="number">{text(best.average)}</span> {viewWords.figureName(by)}
              </p>
              {second && <p class="why">{best.average - second.average < 1e-9 ? viewWords.noDifference(second.name) : viewWords.aheadOf(difference(-second.behind), second.name)}</p>}
            </>
          ) : wrong ? (
            <Wrong error={wrong} rules={rules} />
          ) : (
            <p class="sentence">{nothing ? viewWords.addLoadouts : '…'}</p>
          )}
          {nothing && <button type="button" onClick={() => onChange(readAddress(exampleOf[rules.rules ?? 'second-edition']).question as CompareQuestion)}>{viewWords.example}</button>}
        </div>
      </section>
      <section class="question" aria-label={words.question}>
        <h2>{viewWords.loadouts}</h2>
        {items.map((item, at) => (
          <LoadoutCard
            key={item.ship.id}
            {...{ item, at, rules, caveats }}
            onChange={(next) => setItem(at, next)}
            onRepeat={items.length < limits.loadouts ? () => set({ items: [...items.slice(0, at + 1), copied(item), ...items.slice(at + 1)] }) : undefined}
            onRemove={() => set({ items: items.filter((_, i) => i !== at) })}
          />
        ))}
        <p class="adders">
          {items.length < limits.loadouts && <button type="button" onClick={() => set({ items: [...items, emptyLoadout()] })}>{viewWords.addLoadout}</button>}
        </p>
        <details class="more" open={question.squad !== undefined}>
          <summary>{viewWords.squadShips}</summary>
          <SquadField label={viewWords.squad} squad={question.squad} onChange={(squad) => onChange((now) => withSquad(now, squad))} />
        </details>
        <h2>{viewWords.shotAt}</h2>
        {targets.map((ship, at) => (
          <section class="card defense" key={ship.id} aria-label={viewWords.targetNumber(at + 1)}>
            <header>
              <ShipField ship={ship} role="defender" rules={rules} label={viewWords.targetNumber(at + 1)} onChange={(next) => set({ targets: targets.map((old) => (old.id === ship.id ? next : old)) })} />
              <button type="button" class="icon" aria-label={words.remove(targetNames[at]!)} onClick={() => set({ targets: targets.filter((old) => old.id !== ship.id) })}>×</button>
            </header>
            <StatLine ship={ship} rules={rules} role="defender" />
            <BareNumbers ship={ship} role="defender" onChange={(next) => set({ targets: targets.map((old) => (old.id === ship.id ? next : old)) })} />
            <Tokens ship={ship} role="defender" rules={rules} lockOn={[]} onChange={(next) => set({ targets: targets.map((old) => (old.id === ship.id ? next : old)) })} />
            <Upgrades ship={ship} rules={rules} onChange={(next) => set({ targets: targets.map((old) => (old.id === ship.id ? next : old)) })} />
            <FoldedOnTable attacks={false} ship={ship} rules={rules} onShip={(next) => set({ targets: targets.map((old) => (old.id === ship.id ? next : old)) })} />
          </section>
        ))}
        <p class="adders">
          {targets.length < limits.targets && <button type="button" onClick={() => set({ targets: [...targets, newShip({ agility: 2, tokens: { focus: 1 } })] })}>{words.addTarget}</button>}
          {targets.length === 0 && <span class="hint">{viewWords.typicalTargets}</span>}
        </p>
        <div class="card rulesCard">
          <label class="field">
            <span>{viewWords.rankBy}</span>
            <select value={by} onChange={(event) => set({ by: (event.target as HTMLSelectElement).value })}>
              {[...figuresOffered, ...((figuresOffered as readonly string[]).includes(by) ? [] : [by])].map((name) => (
                <option key={name} value={name}>{viewWords.figureName(name)}</option>
              ))}
            </select>
          </label>
          <ObjectiveField rules={rules} kill={targets.every((ship) => ship.pilot || ship.ship || ship.hull)} onChange={(next) => set({ rules: next })} />
          <RuleFields attacks rules={rules} onChange={(next) => set({ rules: next })} />
        </div>
      </section>
      <section class={`details ${busy && asked.slow ? 'stale' : ''}`} aria-label={words.details}>
        {asRuns ? (
          <div class="status" role="status">
            {played.busy && <progress value={played.progress} aria-label={words.working} />}
          </div>
        ) : (
          <Status asked={asked} />
        )}
        {rows && rows.length > 0 && (
          <>
            {against.length > 1 && (
              <label class="field">
                <span>{viewWords.shownAgainst}</span>
                <select value={shown} onChange={(event) => setChosen(Number((event.target as HTMLSelectElement).value))}>
                  {against.map((name, i) => <option key={i} value={i}>{name}</option>)}
                </select>
              </label>
            )}
            <Curves
              from={1}
              axis={viewWords.damageOrMore(against[shown] ?? '')}
              title={viewWords.damageOrMore(against[shown] ?? '')}
              curves={rows.slice(0, 6).map((row) => ({ name: row.name, values: row.cells[shown]?.atLeast ?? [] }))}
            />
            <RankTable rows={rows} against={against} text={text} difference={difference} by={by} library={library} rules={rules} />
            <CaveatLines
              caveats={caveats}
              rules={rules}
              facts={Object.assign({}, ...items.map((item) => item.shot.facts))}
              {...(items.length > 0 ? { onFact: (name: string, value: Facts[string] | undefined) => set({ items: items.map((item) => withFact(item, name, value)) }) } : {})}
            />
            <Share title={title} lines={() => rows.map((row, i) => `${i + 1}. ${row.name}: ${text(row.average)}${row.behind > 1e-9 ? ` (${difference(row.behind)})` : ''}`)} json={asRuns ? played.answers?.map((one) => one.text).join('') : asked.answer?.text} command={asRuns ? runs.map((run) => commandOf(run, cards)).join('\n') : commandOf(question, cards)} />
          </>
        )}
      </section>
    </main>
  );
}

const copied = (item: Loadout): Loadout => {
  const id = newId();
  return { ...structuredClone(item), ship: { ...structuredClone(item.ship), id }, shot: { ...structuredClone(item.shot), by: id } };
};

function withSquad(question: CompareQuestion, squad: CompareQuestion['squad']): CompareQuestion {
  const { squad: _old, ...rest } = question;
  return squad ? { ...rest, squad } : rest;
}

const targetName = (library: Library, ship: Ship, rules: Rules): string =>
  [shipName(library, ship, rules, 'defender'), ...tokenParts(ship), ...cardParts(ship)].join(', ');

const figureText = (value: number, by: string): string => (by === 'mean' ? figure(value) : by === 'per_point' ? figure(value, 3) : percent(value));

/// The rows of an answer of `compare`. Rows of the page's loadouts get the page's labels.
function comparedRows(answer: CompareAnswer, items: Loadout[], labels: string[]): Row[] {
  const left = items.map((item) => loadoutSpec(item));
  return answer.loadouts.map((loadout) => {
    const at = left.findIndex((spec) => spec === loadout.name);
    if (at >= 0) left[at] = undefined;
    return {
      name: at >= 0 ? labels[at]! : loadout.name,
      average: loadout.average,
      behind: loadout.behind,
      cost: loadout.cost,
      caveats: loadout,
      cells: loadout.cells.map((cell) => ({ ...cell, atLeast: cell.at_least })),
    };
  });
}

/// Computes from runs what `compare` would answer: the figure of each loadout, and its distance to the best.
function playedRows(answers: { data: unknown }[] | undefined, items: Loadout[], targets: Ship[], labels: string[], by: string): Row[] | undefined {
  if (!answers || answers.length !== items.length * targets.length) return undefined;
  const rows = items.map((item, i): Row => {
    const cells = targets.map((_, j): Cell => {
      const ship = (answers[i * targets.length + j]!.data as RunAnswer).ships.d!;
      const atLeast = ship.damage.at_least;
      const destroyed = ship.hull.length > 0 ? ship.destroyed : null;
      const k = Number(by.split(':')[1] ?? 1);
      const value = by === 'destroyed' ? destroyed : by === 'mean' ? ship.damage.mean : by === 'per_point' ? null : (atLeast[k] ?? 0);
      return { figure: value, mean: ship.damage.mean, atLeast, destroyed, weapon: item.shot.weapon === 'best' ? '' : (item.shot.weapon ?? ''), possible: true };
    });
    const known = cells.map((cell) => cell.figure ?? 0);
    return { name: labels[i]!, cells, average: known.reduce((sum, value) => sum + value, 0) / known.length, behind: 0, cost: null, caveats: {} };
  });
  rows.sort((a, b) => b.average - a.average);
  for (const row of rows) row.behind = rows[0]!.average - row.average;
  return rows;
}

function mergedCaveats(answers: Caveats[]): Caveats {
  const all = (key: 'assumed_facts' | 'unmodelled' | 'partly' | 'no_effect' | 'notes'): string[] => [...new Set(answers.flatMap((one) => one[key] ?? []))];
  return { assumed_facts: all('assumed_facts'), unmodelled: all('unmodelled'), partly: all('partly'), no_effect: all('no_effect'), notes: all('notes') };
}

function withFact(item: Loadout, name: string, value: Facts[string] | undefined): Loadout {
  const { [name]: _old, ...rest } = item.shot.facts;
  return { ...item, shot: { ...item.shot, facts: value === undefined ? rest : { ...rest, [name]: value } } };
}

function LoadoutCard({ item, at, rules, caveats, onChange, onRepeat, onRemove }: {
  item: Loadout;
  at: number;
  rules: Rules;
  caveats: Caveats | undefined;
  onChange: (item: Loadout) => void;
  onRepeat: (() => void) | undefined;
  onRemove: () => void;
}) {
  const library = useLibrary();
  const { ship, shot, times } = item;
  const name = shipName(library, ship, rules, 'attacker');
  const set = (next: Ship): void => onChange({ ...item, ship: next });
  return (
    <section class={`card attack loadout loadout${at}`} aria-label={viewWords.loadoutNumber(at + 1)}>
      <header>
        <span class="number" aria-hidden="true">{at + 1}</span>
        <ShipField ship={ship} role="attacker" rules={rules} label={viewWords.loadoutNumber(at + 1)} onChange={set} />
        {onRepeat && (
          <button type="button" class="icon" title={viewWords.repeatLoadout} aria-label={viewWords.repeatLoadoutNamed(at + 1)} onClick={onRepeat}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1h8v2H5v8H3zM7 5h7v10H7zm2 2v6h3V7z" fill-rule="evenodd" /></svg>
          </button>
        )}
        <button type="button" class="icon" aria-label={words.remove(`${viewWords.loadoutNumber(at + 1)}, ${name}`)} onClick={onRemove}>×</button>
      </header>
      <StatLine ship={ship} rules={rules} role="attacker" />
      <BareNumbers ship={ship} role="attacker" onChange={set} />
      <div class="tokens">
        <Tokens ship={ship} role="attacker" rules={rules} lockOn={[]} onChange={set} />
        <Toggle class="token lock" on={ship.locks.length > 0} onChange={(on) => set(on ? { ...ship, locks: ['d'] } : withoutChance({ ...ship, locks: [] }, 'lock'))}>
          {words.lock}
          {ship.chances?.lock === undefined ? null : words.byChance([ship.chances.lock])}
        </Toggle>
      </div>
      <ShotFields shot={shot} weapons={weaponsOf(library, ship, rules, true)} onChange={(change) => onChange({ ...item, shot: { ...shot, ...change } })} />
      <Upgrades ship={ship} rules={rules} onChange={set} />
      <CardLines ship={ship} rules={rules} caveats={caveats} facts={shot.facts} onFact={(name, value) => onChange(withFact(item, name, value))} />
      <div class="steppers">
        <Stepper label={viewWords.shootsTimes} value={times} least={1} most={6} onChange={(value) => onChange({ ...item, times: value ?? 1 })} />
      </div>
      <FoldedOnTable attacks attackOnly {...{ ship, shot, rules }} onShip={set} onShot={(next) => onChange({ ...item, shot: next })} />
    </section>
  );
}

/// With more targets a phone scrolls the table sideways.
const MOST_STACKED = 2;

function RankTable({ rows, against, text, difference, by, library, rules }: {
  rows: Row[];
  against: string[];
  text: (value: number | null) => string;
  difference: (value: number) => string;
  by: string;
  library: Library;
  rules: Rules;
}) {
  const most = Math.max(...rows.flatMap((row) => row.cells.map((cell) => cell.figure ?? 0)), 1e-9);
  const weapon = (id: string): string => (id === '' || id.startsWith('primary') ? words.primary : upgradeName(library, id, rules));
  return (
    <Scroll label={viewWords.ranking}>
      <table class={`heat ${against.length <= MOST_STACKED ? 'stacked' : ''}`}>
        <caption>{viewWords.rankingBy(viewWords.figureName(by))}</caption>
        <thead>
          <tr>
            <th scope="col">{viewWords.loadout}</th>
            {against.length > 1 && <th scope="col">{viewWords.average}</th>}
            <th scope="col">{viewWords.behind}</th>
            {against.map((name, i) => <th key={i} scope="col">{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              <th scope="row">
                <span class={`key curve${i % 6}`}>{row.name}</span>
                {row.cost !== null && <small> {viewWords.points(row.cost)}</small>}
              </th>
              {against.length > 1 && <td><b>{text(row.average)}</b></td>}
              <td>{row.behind < 1e-9 ? words.best : difference(row.behind)}</td>
              {row.cells.map((cell, j) => (
                <td key={j} data-heat={Math.round((8 * (cell.figure ?? 0)) / most)}>
                  {cell.possible ? text(cell.figure) : viewWords.impossible}
                  {cell.weapon && !cell.weapon.startsWith('primary') ? <small> {weapon(cell.weapon)}</small> : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
