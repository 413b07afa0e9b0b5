/// A distribution of damage as bars, with the result and the expectation marked.
import { percent } from '../../parts/format';
import { luckWords } from './luckWords';

const [width, height, left, top, base] = [440, 190, 6, 26, 146];

export function ResultChart({ pmf, result, expected, title }: { pmf: number[]; result: number; expected: number; title: string }) {
  const came = Math.round(result);
  const columns = Math.max(2, came + 1, pmf.findLastIndex((chance) => chance >= 0.0005) + 1);
  const step = (width - 2 * left) / columns;
  const most = Math.max(...pmf, 0.01);
  const y = (chance: number): number => base - ((base - top) * chance) / most;
  const x = (k: number): number => left + k * step;
  return (
    <figure class="chart resultChart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {Array.from({ length: columns }, (_, k) => {
          const chance = pmf[k] ?? 0;
          return <rect key={k} class={`bar ${k === came ? 'came' : ''}`} x={x(k) + step * 0.16} width={step * 0.68} y={y(chance)} height={Math.max(1, base - y(chance))} />;
        })}
        <path class="expectedMark" d={`M${x(expected + 0.5)} ${top}V${base}`} />
        {Array.from({ length: columns }, (_, k) => {
          const chance = pmf[k] ?? 0;
          return (
            <g key={k}>
              <text class="value" x={x(k + 0.5)} y={y(chance) - 5}>{percent(chance, columns > 8 ? 0 : 1)}</text>
              <text class={`tick ${k === came ? 'cameText' : ''}`} x={x(k + 0.5)} y={base + 16}>{k}</text>
              {k === came && <text class="tick cameText" x={x(k + 0.5)} y={base + 34}>▲ {luckWords.came}</text>}
            </g>
          );
        })}
        <line class="axis" x1={left} x2={width - left} y1={base} y2={base} />
      </svg>
      <figcaption>
        <span class="key came">{luckWords.came}</span> <span class="key expectedKey">{luckWords.expectedMark}</span>
      </figcaption>
    </figure>
  );
}
