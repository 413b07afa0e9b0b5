/// The view Squad: what each ship does and survives, the value of its upgrades, and the match against another squad.
import { useEffect, useState } from 'preact/hooks';
import type { ShipName, SquadAnswer, SquadMatrix, SquadPilot } from '../engine/answers';
import { Choose } from '../parts/controls';
import { figure, percent, signed } from '../parts/format';
import { upgradeName, useLibrary, type Library } from '../parts/library';
import { RuleFields } from '../parts/rules';
import { ShipField, Upgrades } from '../parts/ship';
import { Share } from '../parts/share';
import { SquadField } from '../parts/squadField';
import { capital, sayPlainly, unknownText } from '../parts/sentence';
import { Numbers, Scroll, Status, Wrong } from '../parts/status';
import { CaveatLines } from '../parts/caveats';
import { useAnswer } from '../parts/use';
import { packSquad } from '../state/pack';
import { newShip, type PackedSquad, type Ship, type SquadQuestion } from '../state/question';
import { commandOf, requestOf, specOf } from '../state/request';
import { words } from '../words/en';
import { viewWords } from '../words/views';
import type { ViewProps } from './props';
import '../parts/heat.css';

export function View({ question, engine, onChange, onShow }: ViewProps<SquadQuestion>) {
  const library = useLibrary();
  const { rules } = question;
  const asked = useAnswer(engine, requestOf(question), 30);
  const answer = question.squad?.text ? (asked.answer?.data as SquadAnswer | undefined) : undefined;
  const [one, setOne] = useState<Ship>(() => newShip());
  const setSquad = (key: 'squad' | 'against', squad: PackedSquad | undefined): void =>
    onChange(({ [key]: _old, ...rest }) => (squad ? { ...rest, [key]: squad } : rest));
  const setOneShip = (ship: Ship): void => {
    setOne(ship);
    const spec = ship.pilot || ship.ship ? specOf(ship, 'attacker') : undefined;
    if (spec) setSquad('squad', { text: spec, packed: spec });
  };
  /// A squad may bring its own card set.
  const usedRules = answer ? { ...rules, cards: answer.squad.cards } : rules;
  const nameOfUpgrade = (id: string): string => upgradeName(library, id, usedRules);
  const title = answer ? viewWords.squadTitle(answer.squad.name || viewWords.squad, answer.against?.name) : viewWords.squad;
  return (
    <main class="two squadView" aria-busy={asked.busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('squad')}</h1>
        {answer ? (
          <>
            <p class="sentence">{answer.squad.name || viewWords.squad}</p>
            <p class="why">{viewWords.squadLine(answer.pilots.length, answer.squad.points, answer.squad.ruleset, words.cardSetName(answer.squad.cards))}</p>
            <BestWorth answer={answer} nameOf={nameOfUpgrade} />
          </>
        ) : asked.error ? (
          <Wrong error={asked.error} rules={rules} />
        ) : (
          <p class="sentence">{question.squad ? '…' : viewWords.pasteSquad}</p>
        )}
        {question.squad || answer ? null : (
          <button type="button" onClick={() => packSquad(viewWords.exampleSquad).then((squad) => setSquad('squad', squad))}>{viewWords.example}</button>
        )}
      </section>
      <section class="question" aria-label={words.question}>
        <h2>{viewWords.yourSquad}</h2>
        <SquadField label={viewWords.squadFieldLabel} squad={question.squad} onChange={(squad) => setSquad('squad', squad)} />
        <details class="more">
          <summary>{viewWords.orOneShip}</summary>
          <div class="card attack">
            <header>
              <ShipField ship={one} role="attacker" rules={rules} label={viewWords.oneShip} onChange={setOneShip} />
            </header>
            <Upgrades ship={one} rules={rules} onChange={setOneShip} />
          </div>
        </details>
        <h2>{viewWords.otherSquad}</h2>
        <SquadField label={viewWords.otherSquadLabel} squad={question.against} onChange={(squad) => setSquad('against', squad)} />
        <div class="card rulesCard">
          {question.against && (
            <Choose label={words.range} value={question.range} options={[1, 2, 3].map((value) => ({ value, label: String(value) }))} onChange={(range) => onChange({ ...question, range })} />
          )}
          <RuleFields rules={rules} onChange={(next) => onChange({ ...question, rules: next })} />
        </div>
        {question.squad?.text && (
          <p class="adders">
            <button
              type="button"
              onClick={() => onShow({ view: 'compare', items: [], squad: question.squad!, targets: [newShip({ ship: 'tieininterceptor', tokens: { focus: 1 } })], by: 'mean', rules })}
            >
              {viewWords.whoTakesTheShot}
            </button>
          </p>
        )}
      </section>
      <section class={`details ${asked.busy && asked.slow ? 'stale' : ''}`} aria-label={words.details}>
        <Status asked={asked} />
        {answer && (
          <>
            <Summary answer={answer} />
            {answer.matrix && <Matrices {...answer.matrix} set={answer.squad.cards} flying={answer.pilots.map((pilot) => pilot.ship)} mine={answer.squad.name || viewWords.squad} theirs={answer.against?.name ?? ''} />}
            <Worth answer={answer} nameOf={nameOfUpgrade} />
            {answer.pilots.map((pilot, i) => (
              <PilotDetails key={i} pilot={pilot} answer={answer} nameOf={nameOfUpgrade} />
            ))}
            {answer.unknown.length > 0 && (
              <p class="mark">{viewWords.unknownCards(unknownText(answer.unknown, library, usedRules))}</p>
            )}
            {answer.squad.notes.map((note) => <p class="hint squadNote" key={note}>{capital(sayPlainly(note, library, usedRules))}</p>)}
            <CaveatLines caveats={mergedPilots(answer)} rules={usedRules} />
            <Share title={title} lines={() => summary(answer)} json={asked.answer?.text} command={commandOf(question)} />
          </>
        )}
      </section>
    </main>
  );
}

function mergedPilots(answer: SquadAnswer) {
  const all = (key: 'assumed_facts' | 'unmodelled' | 'partly' | 'no_effect'): string[] => [...new Set(answer.pilots.flatMap((pilot) => pilot[key] ?? []))];
  return { assumed_facts: all('assumed_facts'), unmodelled: all('unmodelled'), partly: all('partly'), no_effect: all('no_effect'), notes: [...new Set(answer.pilots.flatMap((pilot) => pilot.notes ?? []))] };
}

const known = (value: number | null | undefined, digits = 2): string => (value === null || value === undefined ? '–' : figure(value, digits));

function Summary({ answer }: { answer: SquadAnswer }) {
  return (
    <Numbers
      open
      stacked
      caption={viewWords.eachShip}
      head={[viewWords.ship, viewWords.cost, words.meanDamage, viewWords.shotsSurvived, viewWords.damagePerPoint]}
      rows={answer.pilots.map((pilot) => [
        <>{pilot.name} <small>{pilot.ship_name}</small></>,
        pilot.cost ?? '–',
        known(pilot.summary.damage),
        known(pilot.summary.shots, 1),
        known(pilot.summary.damage_per_point, 3),
      ])}
    />
  );
}

const worthText = (value: number | null | undefined, digits = 2): string => (value === null || value === undefined ? '–' : Math.abs(value) < 1e-12 ? '0' : signed(value, digits));

type Worth = SquadPilot['worth'][number];
/// What an upgrade is worth: with the best weapon and, if that gains nothing, at the weapon and the tokens where it gains most.
function placed(worth: Worth): { damage: number | null; perPoint: number | null; attack?: NonNullable<Worth['attacks']>[number] } {
  const attacks = worth.attacks ?? [];
  const best = attacks.reduce<(typeof attacks)[number] | undefined>((most, attack) => ((attack.damage ?? 0) > Math.max(most?.damage ?? 0, 1e-12) ? attack : most), undefined);
  if (!best || Math.abs(worth.damage ?? 0) >= 1e-12) return { damage: worth.damage, perPoint: worth.damage_per_point };
  return { damage: best.damage, perPoint: best.damage_per_point, attack: best };
}

/// The upgrade that adds the most damage for its points. What is gained only with another weapon or other tokens counts if nothing else
/// gains.
export function bestWorth(pilots: SquadPilot[]): (ReturnType<typeof placed> & { pilot: SquadPilot; id: string }) | undefined {
  const gains = pilots.flatMap((pilot) => pilot.worth.map((worth) => ({ pilot, id: worth.id, ...placed(worth) }))).filter(({ perPoint }) => (perPoint ?? 0) > 0);
  return gains.sort((a, b) => Number(a.attack !== undefined) - Number(b.attack !== undefined) || b.perPoint! - a.perPoint!)[0];
}

const placeText = ({ weapon, tokens }: { weapon: string; tokens: string }, nameOf: (id: string) => string): string =>
  viewWords.actsWith(weaponName(weapon, nameOf), viewWords.tokensWord(tokens));
const weaponName = (weapon: string, nameOf: (id: string) => string): string => (weapon.startsWith('primary') ? words.primary : nameOf(weapon));

function BestWorth({ answer, nameOf }: { answer: SquadAnswer; nameOf: (id: string) => string }) {
  const best = bestWorth(answer.pilots);
  if (!best) return null;
  const at = best.attack ? placeText(best.attack, nameOf) : '';
  return <p class="why">{viewWords.bestWorth(nameOf(best.id), best.pilot.name, at, worthText(best.damage), worthText(best.perPoint, 3))}</p>;
}

function Worth({ answer, nameOf }: { answer: SquadAnswer; nameOf: (id: string) => string }) {
  const rows = answer.pilots.flatMap((pilot) => pilot.worth.map((worth) => ({ pilot, worth })));
  if (rows.length === 0) return null;
  const state = (text: string): string => (text === 'modelled' ? '' : viewWords.worthState(text));
  return (
    <>
      <Numbers
        open
        stacked
        caption={viewWords.worthOfUpgrades}
        head={[viewWords.upgrade, viewWords.cost, words.damage, viewWords.perPoint, viewWords.shotsSurvived, viewWords.perPoint]}
        rows={rows.map(({ pilot, worth }) => {
          const { damage, perPoint, attack } = placed(worth);
          const remarks = [answer.pilots.length > 1 ? pilot.name : '', state(worth.state), attack ? placeText(attack, nameOf) : ''];
          return [
            <>
              {nameOf(worth.id)} <small>{remarks.filter((remark) => remark !== '').join(' · ')}</small>
            </>,
            worth.cost ?? '–',
            worthText(damage),
            worthText(perPoint, 3),
            worthText(worth.shots),
            worthText(worth.shots_per_point, 3),
          ];
        })}
      />
      <p class="hint">{viewWords.worthHint}</p>
      {rows.map(({ pilot, worth }, i) =>
        worth.attacks && worth.attacks.some((attack) => attack.damage) ? (
          <Numbers
            key={i}
            caption={viewWords.worthBy(nameOf(worth.id), pilot.name)}
            head={[words.tokens, words.weapon, words.damage, viewWords.perPoint]}
            rows={worth.attacks
              .filter((attack) => attack.damage !== null)
              .map((attack) => [
                viewWords.tokensWord(attack.tokens),
                weaponName(attack.weapon, nameOf),
                worthText(attack.damage),
                worthText(attack.damage_per_point, 3),
              ])}
          />
        ) : null,
      )}
    </>
  );
}

const matrixFigures = ['mean', 'hit', 'destroyed', 'mean_shots'] as const;

/// The ships of a pilot or ship by its printed name, or the ship that it is known to fly.
function shipsNamed(library: Library, name: string, flying: string | undefined, set: string): ShipName[] {
  if (flying) return library.names.ships.filter((ship) => ship.sets.includes(set) && ship.id === flying);
  const flown = library.names.pilots.filter((pilot) => pilot.name === name && pilot.sets.includes(set)).map((pilot) => pilot.ship);
  return library.names.ships.filter((ship) => ship.sets.includes(set) && (ship.name === name || flown.includes(ship.name)));
}

/// Why targets come out the same: sentences about those with equal columns whose ships have equal numbers.
function equals(library: Library, matrix: SquadMatrix, set: string, flying: string[], text: (row: number, column: number) => string, health: boolean): string[] {
  const groups = new Map<string, number[]>();
  matrix.columns.forEach((_, j) => {
    const key = matrix.rows.map((_, i) => text(i, j)).join('|');
    groups.set(key, [...(groups.get(key) ?? []), j]);
  });
  return [...groups.values()].flatMap((columns) => {
    if (columns.length < 2) return [];
    const ships = columns.map((j) => shipsNamed(library, matrix.columns[j]!, flying[j], set));
    const same = (key: 'agility' | 'hull' | 'shields'): boolean => new Set(ships.flat().map((ship) => ship[key] ?? 0)).size === 1;
    if (ships.some((list) => list.length === 0) || !same('agility') || (health && !(same('hull') && same('shields')))) return [];
    const { agility = 0, hull = 0, shields = 0 } = ships[0]![0]!;
    return [viewWords.equalTargets(columns.map((j) => matrix.columns[j]!), agility, health ? { hull, shields } : undefined)];
  });
}

type MatrixFigure = (typeof matrixFigures)[number];
type MatrixCell = SquadMatrix['cells'][number][number];

/// A figure as part of the scale: more is better for the attacker.
const heatValue = (cell: MatrixCell, by: MatrixFigure): number => (by === 'mean_shots' ? 1 / (cell[by] ?? Infinity) : (cell[by] ?? 0));

/// Each squad shooting at the other, by one figure and on one scale.
function Matrices({ forth, back, set, flying, mine, theirs }: {
  forth: SquadMatrix;
  back: SquadMatrix;
  set: string;
  /// The ids of the ships of mine.
  flying: string[];
  mine: string;
  theirs: string;
}) {
  const library = useLibrary();
  useEffect(() => library.load(set), [library, set]);
  const [by, setBy] = useState<MatrixFigure>('mean');
  const most = Math.max(1e-9, ...[forth, back].flatMap(({ cells }) => cells.flat()).map((cell) => heatValue(cell, by)));
  return (
    <section class="matrix">
      <Choose label={viewWords.shown} hideLabel value={by} options={matrixFigures.map((name) => ({ value: name, label: viewWords.matrixFigure(name) }))} onChange={setBy} />
      <Matrix matrix={forth} caption={viewWords.matrixForth(mine, theirs)} flying={[]} {...{ set, by, most }} />
      <Matrix matrix={back} caption={viewWords.matrixForth(theirs, mine)} {...{ set, by, most, flying }} />
    </section>
  );
}

function Matrix({ matrix, set, caption, flying, by, most }: {
  matrix: SquadMatrix;
  set: string;
  caption: string;
  /// The ids of the targets' ships, if known.
  flying: string[];
  by: MatrixFigure;
  /// The largest figure of the scale.
  most: number;
}) {
  const library = useLibrary();
  const text = (cell: MatrixCell): string => {
    const raw = cell[by];
    return raw === null ? '–' : by === 'mean' || by === 'mean_shots' ? figure(raw, by === 'mean' ? 2 : 1) : percent(raw);
  };
  const shown = (i: number, j: number): string => (matrix.cells[i]![j]!.possible ? text(matrix.cells[i]![j]!) : viewWords.impossible);
  return (
    <>
      <Scroll label={caption}>
        <table class="heat">
          <caption>{caption} <small>{viewWords.matrixBasis(matrix.range, viewWords.tokensWord(matrix.tokens))}</small></caption>
          <thead>
            <tr>
              <th scope="col">{viewWords.shooter}</th>
              {matrix.columns.map((name, i) => <th key={i} scope="col">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {matrix.rows.map((name, i) => (
              <tr key={i}>
                <th scope="row">{name}</th>
                {matrix.cells[i]!.map((cell, j) => <td key={j} data-heat={Math.round((8 * heatValue(cell, by)) / most)}>{shown(i, j)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {equals(library, matrix, set, flying, shown, by === 'destroyed' || by === 'mean_shots').map((line) => <p class="hint" key={line}>{line}</p>)}
    </>
  );
}

function PilotDetails({ pilot, answer, nameOf }: { pilot: SquadPilot; answer: SquadAnswer; nameOf: (id: string) => string }) {
  const [range, setRange] = useState(2);
  const [tokens, setTokens] = useState('focus');
  const defender = (id: string): string => answer.references.defenders.find((other) => other.id === id)?.name ?? id;
  const attacker = (id: string): string => answer.references.attackers.find((other) => other.id === id)?.name ?? id;
  const rows = pilot.offense.filter((row) => row.range === range && row.tokens === tokens);
  return (
    <details class="numbers pilot">
      <summary>{viewWords.pilotDetails(pilot.name)}</summary>
      <p class="adders">
        <Choose label={words.range} value={range} options={[1, 2, 3].map((value) => ({ value, label: String(value) }))} onChange={setRange} />
        <Choose label={words.tokens} value={tokens} options={['none', 'focus', 'lock', 'focus+lock'].map((value) => ({ value, label: viewWords.tokensWord(value) }))} onChange={setTokens} />
      </p>
      <Numbers
        open
        stacked
        caption={viewWords.shootsAtTypical(pilot.name)}
        head={[viewWords.target, words.weapon, words.meanDamage, words.hits, words.destroyed]}
        rows={rows.map((row) => [
          defender(row.against),
          row.weapon.startsWith('primary') ? words.primary : nameOf(row.weapon),
          row.possible ? figure(row.mean) : viewWords.impossible,
          row.possible ? percent(row.hit) : '',
          row.possible && row.destroyed !== null ? percent(row.destroyed) : '',
        ])}
      />
      <Numbers
        open
        caption={viewWords.survivesTypical(pilot.name)}
        head={[viewWords.shooter, words.tokens, viewWords.shotsSurvived]}
        rows={pilot.durability.map((row) => [attacker(row.from), viewWords.tokensWord(row.tokens), known(row.mean_shots, 1)])}
      />
    </details>
  );
}

function summary(answer: SquadAnswer): string[] {
  return answer.pilots.map((pilot) => viewWords.pilotLine(pilot.name, pilot.cost, known(pilot.summary.damage), known(pilot.summary.shots, 1)));
}
