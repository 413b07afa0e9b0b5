/// The review of a game: luck over time, the costliest decisions, each attack, and the log.
import { useState } from 'preact/hooks';
import type { ReviewAnswer } from 'salvo-engine';
import { figure, percent, signed } from '../../parts/format';
import { Numbers } from '../../parts/status';
import type { Game } from '../../state/further/game';
import { words } from '../../words/en';
import { sayer } from '../../parts/attackInPlay';
import { capital } from '../../parts/sentence';
import type { Names } from './playNames';
import { playWords } from './playWords';
import '../../parts/curves.css';

const [width, height, left, right, top, base] = [440, 170, 34, 8, 12, 140];

/// The luck of the first player after each attack, as a line.
function Story({ values, title }: { values: number[]; title: string }) {
  const most = Math.max(0.5, ...values.map(Math.abs));
  const y = (value: number): number => (top + base) / 2 - (((base - top) / 2) * value) / most;
  const x = (i: number): number => left + ((width - left - right) * i) / Math.max(1, values.length);
  return (
    <figure class="chart story">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {[most, 0, -most].map((value) => (
          <g key={value}>
            <line class={value === 0 ? 'axis' : 'grid'} x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
            <text class="gridText" x={left - 4} y={y(value) + 4}>{signed(value, 1)}</text>
          </g>
        ))}
        <path class="curve curve0" d={['M', left, y(0), ...values.flatMap((value, i) => ['L', x(i + 1), y(value)])].join(' ')} />
        {values.map((value, i) => (
          <g key={i}>
            <circle class="dot" cx={x(i + 1)} cy={y(value)} r="3" />
            {values.length <= 16 || i % 2 === 1 ? <text class="tick" x={x(i + 1) - 4} y={base + 18}>{i + 1}</text> : null}
          </g>
        ))}
      </svg>
      <figcaption>{title}</figcaption>
    </figure>
  );
}

interface Props {
  review: ReviewAnswer | undefined;
  game: Game;
  names: Names;
  log: string;
  onEnd: () => void;
}

export function Review({ review, game, names, log, onEnd }: Props) {
  const [said, setSaid] = useState('');
  const [sure, setSure] = useState(false);
  const nameOf = (name: string): string => names.nameOf(game.fighters.find((fighter) => fighter.name === name)) || name;
  const { library, rules } = names;
  const say = sayer(library, rules, nameOf);
  const save = (): void => {
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(new Blob([log], { type: 'text/plain' }));
    anchor.download = 'salvo-game.txt';
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
  };
  return (
    <>
      {review && (
        <>
          <Story values={review.attacks.map((attack) => attack.so_far)} title={playWords.storyTitle(review.players[0].name)} />
          {review.errors.length === 0 ? (
            <p class="good">{playWords.noErrors}</p>
          ) : (
            <Numbers
              open
              caption={playWords.costliest}
              head={playWords.errorHead}
              rows={review.errors.slice(0, 5).map((error) => [
                <>{error.player}, {nameOf(error.ship)}: {capital(say(error.play))}<small>{playWords.attack} {error.attack}, {say(error.situation)}</small></>,
                capital(say(error.better)),
                figure(error.loss > 1e-9 ? error.loss : error.damage_lost),
              ])}
            />
          )}
          <Numbers
            open
            caption={playWords.sum}
            head={[playWords.figure, ...review.players.map((player) => player.name)]}
            rows={[
              [playWords.sumRows.dealt, ...review.players.map((player) => figure(player.dealt))],
              [playWords.sumRows.taken, ...review.players.map((player) => figure(player.taken))],
              [playWords.sumRows.luck, ...review.players.map((player) => signed(player.luck))],
              [playWords.sumRows.own, ...review.players.map((player) => figure(player.loss))],
              [playWords.sumRows.percentile, ...review.players.map((player) => percent(player.percentile))],
            ]}
          />
          <Numbers
            open
            stacked
            caption={playWords.byAttack}
            head={playWords.attackHead}
            rows={review.attacks.map((attack, i) => [
              `${i + 1}. ${nameOf(attack.by)} → ${nameOf(attack.on)}`,
              figure(attack.expected.damage),
              signed(attack.luck.damage),
              signed(attack.skill.damage),
              figure(attack.result.damage, Number.isInteger(attack.result.damage) ? 0 : 2),
            ])}
          />
        </>
      )}
      <section class="logCard" aria-label={playWords.log}>
        <h3>{playWords.log}</h3>
        <pre class="command" tabIndex={0} aria-label={playWords.log}>{log}</pre>
        <p class="hint">{playWords.logHint}</p>
        <p class="adders">
          <button type="button" onClick={save}>{playWords.saveLog}</button>
          <button type="button" onClick={() => void navigator.clipboard.writeText(log).then(() => setSaid(playWords.logCopied), () => setSaid(words.copyFailed))}>{playWords.copyLog}</button>
          <button type="button" class="quiet" onClick={() => (sure ? onEnd() : setSure(true))}>{playWords.newGame}</button>
          <span class="said" role="status">{sure ? playWords.sureNew : said}</span>
        </p>
      </section>
    </>
  );
}
