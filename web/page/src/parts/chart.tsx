/// Small charts as SVG. A table with the same figures follows each of them.
import { words } from '../words/en';
import { percent } from './format';

/// The place of charts: the size of the drawing, and its margins.
export const place = { width: 440, height: 190, left: 6, right: 6, top: 22, base: 150 };
const { width, height, left, right, top, base } = place;

/// The number of columns to draw. All values in the columns that are cut off are below 1/2000.
export function columnsOf(lists: number[][]): number {
  const shown = Math.max(...lists.map((list) => list.findLastIndex((value) => value >= 0.0005)));
  return Math.max(2, shown + 1);
}

interface DamageProps {
  pmf: number[];
  atLeast: number[];
  /// Hull and shields: this much damage destroys the ship.
  health?: number;
  title: string;
}

/// Draws P(damage = k) as bars and P(damage >= k) as a step line.
export function DamageChart({ pmf, atLeast, health, title }: DamageProps) {
  const columns = columnsOf([atLeast]);
  const step = (width - left - right) / columns;
  const y = (chance: number): number => base - (base - top) * chance;
  const x = (k: number): number => left + k * step;
  const line = atLeast.slice(0, columns).map((chance, k) => `${k === 0 ? 'M' : 'L'}${x(k)} ${y(chance)}H${x(k + 1)}`).join('');
  const small = columns > 8;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {[0.25, 0.5, 0.75, 1].map((chance) => (
          <line key={chance} class="grid" x1={left} x2={width - right} y1={y(chance)} y2={y(chance)} />
        ))}
        {Array.from({ length: columns }, (_, k) => {
          const exactly = pmf[k] ?? 0;
          const gone = health !== undefined && k >= health;
          return (
            <g key={k}>
              <rect class={`bar ${gone ? 'gone' : ''}`} x={x(k) + step * 0.16} width={step * 0.68} y={y(exactly)} height={Math.max(0, base - y(exactly))} />
              <text class="tick" x={x(k + 0.5)} y={base + 15}>{k}</text>
              <text class={`value ${small ? 'small' : ''}`} x={x(k + 0.5)} y={base + 31}>{percent(exactly, small ? 0 : 1)}</text>
            </g>
          );
        })}
        <line class="axis" x1={left} x2={width - right} y1={base} y2={base} />
        <path class="least" d={line} />
        {Array.from({ length: columns }, (_, k) =>
          k === 0 ? null : (
            <text key={k} class={`leastValue ${small ? 'small' : ''}`} x={x(k + 0.5)} y={y(atLeast[k] ?? 0) - 5}>
              {percent(atLeast[k] ?? 0, small ? 0 : 1)}
            </text>
          ),
        )}
        {health !== undefined && health > 0 && health < columns && <line class="goneLine" x1={x(health)} x2={width - right} y1={base + 37} y2={base + 37} />}
      </svg>
      <figcaption>
        <span class="key bar">{words.exactly}</span> <span class="key least">{words.orMore}</span>
        {health !== undefined && health < columns ? <span class="key gone">{words.destroyed}</span> : null}
      </figcaption>
    </figure>
  );
}

/// A chart without labels for the headline, which stays in sight on a phone.
export function Spark({ pmf, health }: { pmf: number[]; health?: number }) {
  const columns = columnsOf([pmf]);
  const most = Math.max(...pmf, 0.01);
  return (
    <svg class="spark" viewBox={`0 0 ${columns * 10} 30`} preserveAspectRatio="none" aria-hidden="true">
      {pmf.slice(0, columns).map((chance, k) => (
        <rect key={k} class={`bar ${health !== undefined && k >= health ? 'gone' : ''}`} x={k * 10 + 1} width={8} y={30 - (29 * chance) / most} height={(29 * chance) / most + 1} />
      ))}
    </svg>
  );
}
