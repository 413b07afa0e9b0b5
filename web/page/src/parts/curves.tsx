/// A chart of several curves.
import { columnsOf, place } from './chart';
import { percent } from './format';
import './curves.css';

const { width, left, right, top, base } = place;
/// Where the curves end: the figures of the grid stand beside them.
const end = width - right - 48;

/// The chances with a line of the grid.
const grid = [0.25, 0.5, 0.75, 1];

export interface Curve {
  name: string;
  values: number[];
}

/// Draws several step lines over one axis, such as one for each loadout.
export function Curves({ curves, title, from = 0, axis, unit }: { curves: Curve[]; title: string; from?: number; axis: string; unit?: (k: number) => string }) {
  const columns = columnsOf(curves.map((curve) => curve.values));
  const shown = Math.max(1, columns - from);
  const step = (end - left) / shown;
  const y = (chance: number): number => base - (base - top) * chance;
  const x = (k: number): number => left + (k - from) * step;
  return (
    <figure class="chart curves">
      <svg viewBox={`0 0 ${width} ${base + 22}`} role="img" aria-label={title}>
        {grid.map((chance) => <line key={chance} class="grid" x1={left} x2={end} y1={y(chance)} y2={y(chance)} />)}
        {Array.from({ length: shown }, (_, i) =>
          shown > 16 && i % 2 === 1 ? null : (
            <text key={i} class="tick" x={x(i + from + 0.5)} y={base + 15}>{unit ? unit(i + from) : i + from}</text>
          ),
        )}
        <line class="axis" x1={left} x2={end} y1={base} y2={base} />
        {curves.map((curve, i) => (
          <path
            key={i}
            class={`curve curve${i % 6}`}
            d={Array.from({ length: shown }, (_, j) => `${j === 0 ? 'M' : 'L'}${x(j + from)} ${y(curve.values[j + from] ?? 0)}H${x(j + from + 1)}`).join('')}
          />
        ))}
        {grid.map((chance) => <text key={chance} class="gridText" x={width - right} y={y(chance) + 4}>{percent(chance, 0)}</text>)}
      </svg>
      <p class="axisName" aria-hidden="true">{axis}</p>
      {curves.length > 1 && (
        <figcaption>
          {curves.map((curve, i) => (
            <span key={i} class={`key curve${i % 6}`}>{curve.name}</span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
