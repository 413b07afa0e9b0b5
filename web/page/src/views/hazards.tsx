/// The view Hazards: what bombs, mines, obstacles and overlaps do to ships.
import { useState } from 'preact/hooks';
import type { HazardAnswer, HazardEntry } from '../engine/answers';
import { DamageChart } from '../parts/chart';
import { Stepper } from '../parts/controls';
import { figure, percent } from '../parts/format';
import { shipName, useLibrary } from '../parts/library';
import { RuleFields } from '../parts/rules';
import { capital, sayPlainly } from '../parts/sentence';
import { BareNumbers, ShipField, StatLine, Tokens } from '../parts/ship';
import { Share } from '../parts/share';
import { Numbers, Status, Wrong } from '../parts/status';
import { useAnswer } from '../parts/use';
import { newShip, type HazardQuestion, type Ship } from '../state/question';
import { commandOf, requestOf } from '../state/request';
import { words } from '../words/en';
import { viewWords } from '../words/views';
import type { ViewProps } from './props';

export function View({ question, engine, onChange }: ViewProps<HazardQuestion>) {
  const library = useLibrary();
  const { rules, ships } = question;
  const [tries, setTries] = useState(0);
  const listed = useAnswer(engine, { verb: 'hazard', body: { ...(rules.rules ? { rules: rules.rules } : {}), hazard: 'list' }, ...(tries ? { tries } : {}) });
  const asked = useAnswer(engine, requestOf(question), 30);
  const answer = asked.answer?.data as HazardAnswer | undefined;
  const list = (listed.answer?.data as { hazards?: HazardEntry[] } | undefined)?.hazards ?? [];
  const entry = list.find((other) => other.id === question.hazard);
  const contest = entry?.kind === 'contest';
  const kinds = [...new Set(list.map((other) => other.kind))];
  const set = (next: Partial<HazardQuestion>): void => onChange({ ...question, ...next });
  const pick = (id: string): void => {
    const { situation: _old, ...rest } = question;
    const isContest = list.find((other) => other.id === id)?.kind === 'contest';
    const who = isContest ? { ships: [], times: 1 } : ships.length > 0 ? {} : { ships: [newShip({ ship: 't65xwing' })] };
    onChange({ ...rest, hazard: id, numbers: {}, ...who });
  };
  const setShip = (ship: Ship): void => set({ ships: ships.map((old) => (old.id === ship.id ? ship : old)) });
  const nameOf = (ship: Ship): string => (ship.pilot || ship.ship ? shipName(library, ship, rules, 'defender') : viewWords.shipNumber(ships.indexOf(ship) + 1));
  const shown = Object.entries(answer?.ships ?? {}).map(([key, ship], i) => ({ ...ship, name: ship.name === key ? viewWords.shipNumber(i + 1) : ship.name }));
  const first = shown[0];
  const healthOf = (ship: (typeof shown)[number]): number | undefined => (ship.hull.length > 0 ? ship.hull.length - 1 + Math.max(0, ship.shields.length - 1) : undefined);
  const title = viewWords.hazardTitle(entry?.name ?? question.hazard, shown.map((ship) => ship.name));
  return (
    <main class="two hazardsView" aria-busy={asked.busy || listed.busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('hazards')}</h1>
        {first ? (
          shown.map((ship, i) => (
            <div class="bigLine" key={i}>
              <div>
                <p class="who">{ship.name}</p>
                <p class="big">{figure(ship.damage.mean)} <span class="what">{words.meanDamage}</span></p>
              </div>
              <p class="mean"><b>{healthOf(ship) === undefined ? percent(ship.damage.at_least[1] ?? 0) : percent(ship.destroyed)}</b> <span>{healthOf(ship) === undefined ? words.anyDamage : words.destroyed}</span></p>
            </div>
          ))
        ) : answer?.win !== undefined ? (
          <p class="sentence">{viewWords.contestLine(percent(answer.win), percent(answer.tie ?? 0))}</p>
        ) : asked.error ? (
          <Wrong error={asked.error} rules={rules} />
        ) : (
          <p class="sentence">…</p>
        )}
      </section>
      <section class="question" aria-label={words.question}>
        <div class="card rulesCard">
          <label class="field">
            <span>{viewWords.hazard}</span>
            <select value={question.hazard} disabled={list.length === 0} onChange={(event) => pick((event.target as HTMLSelectElement).value)}>
              {entry ? null : <option value={question.hazard}>{list.length === 0 && listed.busy ? words.working : question.hazard}</option>}
              {kinds.map((kind) => (
                <optgroup key={kind} label={viewWords.hazardKind(kind)}>
                  {list.filter((other) => other.kind === kind).map((other) => <option key={other.id} value={other.id}>{other.name}</option>)}
                </optgroup>
              ))}
            </select>
          </label>
          <Status rules={rules} asked={listed} onRetry={() => setTries(tries + 1)} />
          {entry && entry.situations.length > 1 && (
            <label class="field">
              <span>{viewWords.situation}</span>
              <select
                value={question.situation ?? ''}
                onChange={(event) => {
                  const value = (event.target as HTMLSelectElement).value;
                  const { situation: _old, ...rest } = question;
                  onChange(value === '' ? rest : { ...rest, situation: value });
                }}
              >
                <option value="">{viewWords.usualSituation}</option>
                {entry.situations.map((other) => <option key={other.id} value={other.id}>{other.when}</option>)}
              </select>
            </label>
          )}
          {entry?.situations.map((other) =>
            question.situation === other.id || (question.situation === undefined && shown.some((ship) => ship.situation === other.id)) ? (
              <p class="hint" key={other.id}>{other.when}: {other.effect}{other.also.length > 0 ? `; ${other.also.join('; ')}` : ''}</p>
            ) : null,
          )}
          <div class="steppers">
            {entry?.numbers.map((number) => (
              <Stepper
                key={number.id}
                label={number.meaning}
                value={question.numbers[number.id] ?? number.usual}
                least={number.least}
                most={number.most}
                onChange={(value) => set({ numbers: { ...question.numbers, [number.id]: value ?? number.usual } })}
              />
            ))}
            {contest ? null : <Stepper label={viewWords.times} value={question.times} least={1} most={20} onChange={(value) => set({ times: value ?? 1 })} />}
          </div>
        </div>
        {contest ? null : (
          <>
            <h2>{viewWords.shipsHit}</h2>
            {ships.map((ship, at) => (
              <section class="card defense" key={ship.id} aria-label={viewWords.shipNumber(at + 1)}>
                <header>
                  <ShipField ship={ship} role="defender" rules={rules} label={viewWords.shipNumber(at + 1)} onChange={setShip} />
                  {ships.length > 1 && (
                    <button type="button" class="icon" aria-label={words.remove(nameOf(ship))} onClick={() => set({ ships: ships.filter((old) => old.id !== ship.id) })}>×</button>
                  )}
                </header>
                <StatLine ship={ship} rules={rules} role="defender" />
                <BareNumbers noDice ship={ship} role="defender" onChange={setShip} />
                <details class="more">
                  <summary>{words.tokens}</summary>
                  <Tokens all ship={ship} role="defender" rules={rules} lockOn={[]} onChange={setShip} />
                </details>
              </section>
            ))}
            <p class="adders">
              {ships.length < 6 && <button type="button" onClick={() => set({ ships: [...ships, newShip({ ship: 't65xwing' })] })}>{viewWords.addShip}</button>}
            </p>
          </>
        )}
        <div class="card rulesCard">
          <RuleFields rules={rules} onChange={(next) => set({ rules: next })} />
        </div>
      </section>
      <section class={`details ${asked.busy && asked.slow ? 'stale' : ''}`} aria-label={words.details}>
        <Status asked={asked} />
        {answer && (
          <>
            {shown.map((ship, i) => {
              const health = healthOf(ship);
              return (
                <section class="result" key={i}>
                  <h3>{ship.name}</h3>
                  <DamageChart pmf={ship.damage.pmf} atLeast={ship.damage.at_least} title={words.damageTo(ship.name)} {...(health !== undefined ? { health } : {})} />
                  {Object.keys(ship.tokens).length > 0 && <p class="hint">{tokenLines(ship.tokens).join(' · ')}</p>}
                  <Numbers
                    caption={words.damageTo(ship.name)}
                    head={[words.damage, words.exactly, words.orMore]}
                    rows={ship.damage.pmf.map((chance, k) => [k, percent(chance, 2), percent(ship.damage.at_least[k] ?? 0, 2)])}
                  />
                </section>
              );
            })}
            {shown.length > 1 && answer.together && answer.together.destroyed.pmf.length > 1 && (
              <Numbers
                open
                caption={viewWords.together}
                head={[viewWords.howMany, words.destroyed]}
                rows={answer.together.destroyed.pmf.map((chance, k) => [k, percent(chance)])}
              />
            )}
            {answer.decided_by && <Numbers open caption={viewWords.decidedBy} head={[viewWords.faceHead, viewWords.chance]} rows={Object.entries(answer.decided_by).map(([face, chance]) => [face, percent(chance)])} />}
            {answer.hazard.omits.length > 0 && <p class="mark">{words.partlyModelled(answer.hazard.omits.join('; '))}</p>}
            {answer.notes?.map((note) => <p class="hint" key={note}>{capital(sayPlainly(note, library, rules))}</p>)}
            <Share title={title} lines={() => shown.map((ship) => words.summaryLine(ship.name, percent(ship.destroyed), words.destroyed, figure(ship.damage.mean)))} json={asked.answer?.text} command={commandOf(question)} />
          </>
        )}
      </section>
    </main>
  );
}

/// The mean number of each token, and the chance of the state that it causes.
function tokenLines(tokens: Record<string, unknown>): string[] {
  return Object.entries(tokens).map(([kind, value]) => {
    const token = value as { mean?: number; states?: Record<string, number>; state?: string; reached?: number };
    const state = token.state && typeof token.reached === 'number' ? ` (${token.state} ${percent(token.reached)})` : '';
    return `${words.token(kind)} ${typeof token.mean === 'number' ? viewWords.onAverage(figure(token.mean)) : ''}${state}`;
  });
}
