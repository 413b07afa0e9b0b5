/// What the views Battle and Gauntlet share: tiles, bars, the rules of a fight, what it assumes.
import { defaults, flights, policies } from 'virtual:game-data';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Caveats } from '../../engine/answers';
import { CaveatLines } from '../../parts/caveats';
import { Stepper } from '../../parts/controls';
import { figure } from '../../parts/format';
import { useLibrary } from '../../parts/library';
import type { Engine } from '../../engine/engine';
import type { PackedSquad, Rules } from '../../state/question';
import { words } from '../../words/en';
import { fightWords } from './fightWords';
import type { Refined } from './refine';
import './fight.css';

export interface Tile {
  id: string;
  name: string;
  meaning: string;
}
export const flightTiles: readonly Tile[] = flights;
export const policyTiles: readonly Tile[] = policies.map((id) => ({ id, name: fightWords.policyName(id), meaning: fightWords.policyMeaning(id) }));
/// What an unstated flight or policy means.
export const usual = defaults;
const nameOfTile = (tiles: readonly Tile[], id: string): string => tiles.find((tile) => tile.id === id)?.name ?? id;

/// A choice of one among tiles that say what they mean. Supports the arrow keys.
export function Tiles({ label, tiles, value, onChange }: { label: string; tiles: readonly Tile[]; value: string | undefined; onChange: (id: string) => void }) {
  const at = tiles.findIndex((tile) => tile.id === value);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (Math.max(0, at) + step + tiles.length) % tiles.length;
    onChange(tiles[next]!.id);
    (event.currentTarget as HTMLElement).querySelectorAll('button')[next]?.focus();
  };
  return (
    <div class="tiles" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {tiles.map((tile, i) => (
        <button key={tile.id} type="button" role="radio" aria-checked={i === at} tabIndex={i === Math.max(0, at) ? 0 : -1} onClick={() => onChange(tile.id)}>
          <b>{tile.name}</b> <small>{tile.meaning}</small>
        </button>
      ))}
    </div>
  );
}

/// Tiles folded away under a heading that names the chosen one.
export function FoldedTiles(props: { label: string; tiles: readonly Tile[]; value: string | undefined; onChange: (id: string) => void }) {
  return (
    <details class="more tileFold">
      <summary>
        {props.label}: <b>{props.value ? nameOfTile(props.tiles, props.value) : '…'}</b>
      </summary>
      <Tiles {...props} />
    </details>
  );
}

/// The damage deck and the limit of rounds.
export function FightFields({ rules, rounds, onRules, onRounds }: { rules: Rules; rounds: number | undefined; onRules: (rules: Rules) => void; onRounds: (rounds: number | undefined) => void }) {
  const setDeck = (deck: string): void => {
    const { deck: _old, ...rest } = rules;
    onRules(deck ? { ...rest, deck } : rest);
  };
  return (
    <>
      <label class="field">
        <span>{fightWords.deck}</span>
        <select value={rules.deck ?? ''} onChange={(event) => setDeck((event.target as HTMLSelectElement).value)}>
          <option value="">{words.noDeck}</option>
          <option value="core">{words.coreDeck}</option>
        </select>
      </label>
      <Stepper label={fightWords.rounds} value={rounds ?? 12} least={1} most={99} onChange={(value) => onRounds(value === 12 ? undefined : value)} />
    </>
  );
}

/// Loads the names of the cards that an answer was made with: squads bring their own card set.
export function useCards(set: string | undefined): void {
  const library = useLibrary();
  useEffect(() => {
    if (set) library.load(set);
  }, [library, set]);
}

/// Whether a squad that came with the address is still to be unpacked.
export const isPacked = (squad: PackedSquad | undefined): boolean => squad?.text === '';

/// Fetches the complete engine while the user enters the question, by asking for a card: its cheapest question.
export function useWarm(engine: Engine, on: boolean): void {
  useEffect(() => {
    if (on) engine.ask('cards', { show: 'predator' }).catch(() => undefined);
  }, [engine]);
}

/// How precise the answer is, and whether it is still being refined.
export function HowSure({ refined, sure, children }: { refined: Refined; sure: string; children?: ComponentChildren }) {
  return (
    <p class="howSure" role="status">
      {sure}
      {refined.refining && <> <progress value={refined.progress} aria-label={words.working} /></>}
      {children}
    </p>
  );
}

export function Assumptions({ caveats, assumptions, rules }: { caveats: Caveats; assumptions: string[]; rules: Rules }) {
  return (
    <>
      <CaveatLines caveats={caveats} rules={rules} />
      <details class="how">
        <summary>{fightWords.assumptions(assumptions.length)}</summary>
        <ul>{assumptions.map((text) => <li key={text}>{text}</li>)}</ul>
      </details>
    </>
  );
}

export const thousands = (count: number): string => figure(count, 0);

export interface Bar {
  label: string;
  value: number;
  /// A class of its colour: mine, theirs, even.
  side?: string;
}

const [width, height, base, top] = [440, 170, 130, 14];
const mostTicks = 11;

/// A distribution as bars, scaled to the highest of them.
export function Bars({ bars, title, axis, keys }: { bars: Bar[]; title: string; axis: string; keys?: { side: string; name: string }[] }) {
  const most = Math.max(...bars.map((bar) => bar.value), 1e-9);
  const step = width / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / mostTicks);
  // Count the ticks from the even result, so that it has one.
  const zero = Math.max(0, bars.findIndex((bar) => bar.label === '0'));
  return (
    <figure class="chart bars">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {bars.map((bar, i) => {
          const tall = ((base - top) * bar.value) / most;
          return (
            <g key={bar.label}>
              <rect class={`bar ${bar.side ?? ''}`} x={step * (i + 0.1)} width={step * 0.8} y={base - tall} height={tall} />
              {(i - zero) % every === 0 && <text class="tick" x={step * (i + 0.5)} y={base + 16}>{bar.label}</text>}
            </g>
          );
        })}
        <line class="axis" x1={0} x2={width} y1={base} y2={base} />
        <text class="axisText" x={width / 2} y={base + 34}>{axis}</text>
      </svg>
      {keys && <figcaption>{keys.map(({ side, name }) => <span key={side} class={`key ${side}`}>{name}</span>)}</figcaption>}
    </figure>
  );
}
