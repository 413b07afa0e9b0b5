/// The view Attack: what these attacks do.
import { useState } from 'preact/hooks';
import type { AttackAnswer, OrderAnswer, RunAnswer, ShipAnswer, WorthAnswer } from '../engine/answers';
import type { Engine } from '../engine/engine';
import { factsOf, namer, ScenarioEditor, setFact, shipNames } from '../parts/scenario';
import { DamageChart, Spark } from '../parts/chart';
import { around, figure, percent, signed, signedPercent } from '../parts/format';
import { upgradeName, useLibrary, type Library } from '../parts/library';
import { useOwnCards } from '../parts/own';
import { ObjectiveField, RuleFields } from '../parts/rules';
import { Share } from '../parts/share';
import { Numbers, Status, Wrong } from '../parts/status';
import { CaveatLines } from '../parts/caveats';
import { assumptionsText, cardName, withShipNames } from '../parts/sentence';
import { useAnswer, type Asked } from '../parts/use';
import { cardIdsIn } from '../state/cardIds';
import { keysOf, roles, type AttackQuestion, type Rules, type Scenario } from '../state/question';
import { commandOf, requestOf, scenarioKeys } from '../state/request';
import { words } from '../words/en';

interface Props {
  question: AttackQuestion;
  engine: Engine;
  onChange: (question: AttackQuestion) => void;
}

export interface Shown {
  key: string;
  name: string;
  answer: ShipAnswer;
  health: number | undefined;
}

/// The ships that are shot at, with the page's names.
export function shownShips(scenario: Scenario, answer: RunAnswer, nameOf: (key: string) => string): Shown[] {
  const shot = new Set(answer.attacks.map((attack) => attack.on));
  const keys = [...keysOf(scenario).values()].filter((key) => shot.has(key) && answer.ships[key]);
  const order = [...keys.filter((key) => key.startsWith('d')), ...keys.filter((key) => !key.startsWith('d'))];
  return order.map((key) => {
    const ship = answer.ships[key]!;
    const hull = Math.max(0, ship.hull.length - 1);
    const shields = Math.max(0, ship.shields.length - 1);
    return { key, name: nameOf(key), answer: ship, health: hull > 0 ? hull + shields : undefined };
  });
}

/// The chance that the headline shows: that the ship is destroyed or, if it has no hull, that it suffers damage.
export const deciding = ({ answer, health }: Shown): { chance: number; error: number | undefined; label: string } =>
  health !== undefined
    ? { chance: answer.destroyed, error: answer.destroyed_se, label: words.destroyed }
    : { chance: answer.damage.at_least[1] ?? 0, error: answer.damage.at_least_se?.[1], label: words.anyDamage };

export function AttackView({ question, engine, onChange }: Props) {
  const library = useLibrary();
  const own = useOwnCards();
  const { scenario } = question;
  const cards = own.textsFor(cardIdsIn(question));
  const [tries, setTries] = useState(0);
  const request = requestOf(question, cards);
  const asked = useAnswer(engine, request && { ...request, ...(tries ? { tries } : {}) });
  const answer = asked.answer?.data as RunAnswer | undefined;
  const names = shipNames(library, scenario);
  const set = (next: Scenario): void => onChange({ ...question, scenario: next });
  const nameOf = namer(names, scenario);
  const shown = answer ? shownShips(scenario, answer, nameOf) : [];
  const { victims: targets } = roles(scenario);
  const canDie = targets.every((ship) => ship.pilot || ship.ship || ship.hull);
  const cardName = (id: string): string => upgradeName(library, id, scenario.rules);
  const title = words.attackTitle(
    scenario.shots.map((shot) => names.get(shot.by) ?? ''),
    targets.map((ship) => names.get(ship.id) ?? ''),
  );
  return (
    <main class="two attackView" aria-busy={asked.busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('attack')}</h1>
        {asked.error ? <Wrong error={asked.error} rules={scenario.rules} nameOf={nameOf} /> : <Headline shown={shown} stale={asked.busy && asked.slow} waiting={asked.busy && !answer} />}
      </section>
      <section class="question" aria-label={words.question}>
        <ScenarioEditor scenario={scenario} onChange={set} caveats={answer} />
        <div class="card rulesCard">
          <ObjectiveField rules={scenario.rules} kill={canDie} onChange={(rules) => set({ ...scenario, rules })} />
          <RuleFields attacks engine rules={scenario.rules} onChange={(rules) => set({ ...scenario, rules })} />
        </div>
      </section>
      <section class={`details ${asked.busy && asked.slow ? 'stale' : ''}`} aria-label={words.details}>
        <Status asked={asked} onRetry={() => setTries(tries + 1)} />
        {answer && (
          <>
            {shown.map((ship) => (
              <ShipResult key={ship.key} ship={ship} many={shown.length > 1} />
            ))}
            <CaveatLines nameOf={nameOf} caveats={answer} rules={scenario.rules} facts={factsOf(scenario)} onFact={(name, value) => set(setFact(scenario, undefined, name, value))} />
            <ByAttack attacks={answer.attacks} nameOf={nameOf} bonusName={cardName} />
            <LeftOver answer={answer} nameOf={nameOf} cardName={cardName} />
            <WouldAdd engine={engine} asked={asked} answer={answer} nameOf={nameOf} />
            <WhatElse engine={engine} scenario={scenario} cards={cards} nameOf={nameOf} objective={answer.objective} />
            <HowComputed asked={asked} answer={answer} />
            <Share title={title} lines={() => summary(shown, answer, library, scenario.rules)} json={asked.answer?.text} command={commandOf(question, cards)} />
          </>
        )}
      </section>
    </main>
  );
}

export function Headline({ shown, stale, waiting }: { shown: Shown[]; stale: boolean; waiting: boolean }) {
  if (waiting) return <p class="bigLine waiting"><span class="big">…</span> <span class="what">{words.engineComing}</span></p>;
  if (shown.length === 0) return <p class="sentence">{words.cannotSay}</p>;
  return (
    <div class={stale ? 'stale' : ''}>
      {shown.map((ship) => {
        const { chance, error, label } = deciding(ship);
        const { mean, mean_se } = ship.answer.damage;
        return (
          <div class="bigLine" key={ship.key}>
            <div>
              <p class="who">{ship.name}</p>
              <p class={`big ${ship.health !== undefined ? 'gone' : ''}`}>
                {percent(chance)}<small>{around(error, 100, 1)}</small> <span class="what">{label}</span>
              </p>
            </div>
            <p class="mean">
              <b>{figure(mean)}</b><small>{around(mean_se)}</small> <span>{words.meanDamage}</span>
            </p>
            <Spark pmf={ship.answer.damage.pmf} {...(ship.health !== undefined ? { health: ship.health } : {})} />
          </div>
        );
      })}
    </div>
  );
}

function ShipResult({ ship, many }: { ship: Shown; many: boolean }) {
  const { damage, hull, shields, states } = ship.answer;
  const label = words.damageTo(ship.name);
  return (
    <section class="result">
      {many ? <h3>{ship.name}</h3> : null}
      <DamageChart pmf={damage.pmf} atLeast={damage.at_least} title={label} {...(ship.health !== undefined ? { health: ship.health } : {})} />
      {states && Object.keys(states).length > 0 && (
        <p class="hint">{Object.entries(states).map(([state, chance]) => `${state} ${percent(chance)}`).join(' · ')}</p>
      )}
      <Numbers
        caption={label}
        head={[words.damage, words.exactly, words.orMore]}
        rows={damage.pmf.map((chance, k) => [
          k,
          percent(chance, 2) + around(damage.pmf_se?.[k], 100, 2),
          percent(damage.at_least[k] ?? 0, 2) + around(damage.at_least_se?.[k], 100, 2),
        ])}
      />
      {ship.health !== undefined && (
        <Numbers
          caption={words.leftOf(ship.name)}
          head={[words.left, words.hull, words.shields]}
          rows={Array.from({ length: Math.max(hull.length, shields.length) }, (_, k) => [
            k,
            hull[k] === undefined ? '' : percent(hull[k], 2),
            shields[k] === undefined || shields.length < 2 ? '' : percent(shields[k], 2),
          ])}
        />
      )}
    </section>
  );
}

function ByAttack({ attacks, nameOf, bonusName }: { attacks: AttackAnswer[]; nameOf: (key: string) => string; bonusName: (id: string) => string }) {
  const several = new Set(attacks.map((attack) => attack.on)).size > 1;
  const maybe = attacks.some((attack) => attack.happens < 1);
  // Leave out targets that the attacker never chooses.
  const shown = attacks.map((attack, i) => ({ attack, i })).filter(({ attack }) => attack.happens > 0);
  return (
    <Numbers
      open
      stacked
      caption={words.byAttack}
      head={[words.attack, words.dice_, words.hits, words.meanDamage, ...(maybe ? [words.happens] : [])]}
      rows={shown.map(({ attack, i }) => [
        <>
          {i + 1}. {nameOf(attack.by)}
          {several ? ` → ${nameOf(attack.on)}` : ''}
          {attack.bonus ? <small> {words.bonusBy(bonusName(attack.bonus))}</small> : null}
        </>,
        `${trimmed(attack.attack_dice)} : ${trimmed(attack.defense_dice)}`,
        percent(attack.hit_probability),
        figure(attack.mean_hits + attack.mean_crits),
        ...(maybe ? [percent(attack.happens)] : []),
      ])}
    />
  );
}

const trimmed = (dice: number): string => figure(dice, 1).replace(/\.0$/, '');

function LeftOver({ answer, nameOf, cardName }: { answer: RunAnswer; nameOf: (key: string) => string; cardName: (id: string) => string }) {
  const tokenName = (kind: string): string => (kind.startsWith('charge:') ? words.charges(cardName(kind.slice(7))) : words.token(kind));
  const lines = Object.entries(answer.ships).flatMap(([key, ship]) => {
    const tokens = Object.entries(ship.tokens_left).map(([kind, mean]) => `${tokenName(kind)} ${figure(mean)}`);
    return tokens.length > 0 ? [[nameOf(key), tokens.join(' · ')]] : [];
  });
  if (lines.length === 0) return null;
  return (
    <section class="leftOver">
      <h3>{words.tokensLeft}</h3>
      <dl>
        {lines.map(([name, text], i) => (
          <div key={i}><dt>{name}</dt><dd>{text}</dd></div>
        ))}
      </dl>
    </section>
  );
}

/// What the usual damage deck would add. It takes longer than the answer, so it is asked once the answer is shown.
function WouldAdd({ engine, asked, answer, nameOf }: { engine: Engine; asked: Asked; answer: RunAnswer; nameOf: (key: string) => string }) {
  const { engine: _engine, ...body } = asked.request?.body ?? {};
  const askable = !asked.busy && answer.engine !== 'sample' && !answer.damage_deck;
  const deck = useAnswer(engine, askable ? { verb: 'run', body: { ...body, would_add: true } } : undefined, 60);
  const added = deck.busy ? undefined : (deck.answer?.data as RunAnswer | undefined)?.damage_deck?.core_would_add;
  if (!added) return null;
  return <p class="hint wouldAdd">{words.wouldAdd(Object.entries(added).map(([key, mean]) => `${nameOf(key)} ${signed(mean)}`).join(' · '))}</p>;
}

/// The value of one more token and the best order of attacks. Each is requested when the user opens it.
function WhatElse({ engine, scenario, cards, nameOf, objective }: {
  engine: Engine;
  scenario: Scenario;
  cards: string[];
  nameOf: (key: string) => string;
  objective: string;
}) {
  const [worth, setWorth] = useState(false);
  const [order, setOrder] = useState(false);
  const body = { ...scenarioKeys(scenario), ...(cards.length > 0 ? { card: cards } : {}) };
  const askedWorth = useAnswer(engine, worth ? { verb: 'worth', body } : undefined, 60);
  const askedOrder = useAnswer(engine, order && scenario.shots.length > 1 ? { verb: 'order', body } : undefined, 60);
  const gains = (askedWorth.answer?.data as WorthAnswer | undefined)?.worth ?? [];
  const orders = (askedOrder.answer?.data as OrderAnswer | undefined)?.orders ?? [];
  const gain = (value: number): string => (objective === 'kill' ? signedPercent(value) : signed(value));
  return (
    <>
      <details class="numbers" open={worth} onToggle={(event) => setWorth((event.currentTarget as HTMLDetailsElement).open)}>
        <summary>{words.oneMore}</summary>
        {worth && <Status rules={scenario.rules} asked={askedWorth} />}
        {gains.length > 0 && (
          <Numbers
            open
            caption={words.oneMoreCaption(objective)}
            head={[words.change, words.forWhom, words.gain]}
            rows={gains.map((row) => [withShipNames(row.what, nameOf), nameOf(row.ship), gain(row.gain)])}
          />
        )}
      </details>
      {scenario.shots.length > 1 && (
        <details class="numbers" open={order} onToggle={(event) => setOrder((event.currentTarget as HTMLDetailsElement).open)}>
          <summary>{words.bestOrder}</summary>
          {order && <Status rules={scenario.rules} asked={askedOrder} />}
          {orders.length > 0 && (
            <Numbers
              open
              caption={words.bestOrder}
              head={[words.order, words.value, words.loses]}
              rows={orders.slice(0, 12).map((row) => [
                row.order.map((step) => withShipNames(step, nameOf)).join(' → '),
                objective === 'kill' ? percent(row.value) : figure(row.value, 3),
                row.loss === 0 ? words.best : gain(-row.loss),
              ])}
            />
          )}
        </details>
      )}
    </>
  );
}

export function HowComputed({ asked, answer }: { asked: Asked; answer: Pick<RunAnswer, 'engine' | 'engine_reason' | 'policy' | 'rules' | 'cards' | 'cards_date' | 'sample' | 'cross_check' | 'damage_deck'> }) {
  return (
    <details class="how">
      <summary>{words.howLine(answer.engine, asked.took ?? 0, answer.sample?.trials)}</summary>
      <ul>
        {asked.answer ? <li>{words.answeredBy(asked.answer.from)}</li> : null}
        {answer.engine_reason ? <li>{words.engineReason(answer.engine_reason)}</li> : null}
        <li>{words.policies(answer.policy.attacker, answer.policy.defender)}</li>
        <li>{words.editionName(answer.rules)}{answer.cards ? `, ${words.cardsOf(answer.cards, answer.cards_date ?? '')}` : ''}</li>
        {answer.sample ? <li>{words.sampleLine(answer.sample.trials, answer.sample.seed, answer.sample.generator)}</li> : null}
        {answer.cross_check ? <li>{words.crossCheck(answer.cross_check.agree, answer.cross_check.p)}</li> : null}
        {answer.damage_deck?.deck && answer.damage_deck.deck !== 'none' ? <li>{words.deckLine(answer.damage_deck.deck)}</li> : null}
      </ul>
    </details>
  );
}

export function summary(shown: Shown[], answer: RunAnswer, library: Library, rules: Rules): string[] {
  return [
    ...shown.map((ship) => {
      const { chance, error, label } = deciding(ship);
      return words.summaryLine(ship.name, percent(chance) + around(error, 100, 1), label, figure(ship.answer.damage.mean) + around(ship.answer.damage.mean_se));
    }),
    ...shown.map((ship) => words.orMoreLine(shown.length > 1 ? ship.name : '', ship.answer.damage.at_least.slice(1, 7).flatMap((chance, k) => (chance >= 0.0005 ? [`${k + 1}+ ${percent(chance)}`] : [])))),
    ...((answer.assumed_facts?.length ?? 0) > 0 ? [words.assumedLine(assumptionsText(answer.assumed_facts!, library, rules))] : []),
    ...((answer.unmodelled?.length ?? 0) > 0 ? [words.unmodelledLine(answer.unmodelled!.map((id) => cardName(library, id, rules)).join(', '))] : []),
  ];
}
