/// The editor of the attacks in order and of the defenders, for the views Attack, Should I? and Survive.
import { useRef, useState } from 'preact/hooks';
import type { Caveats } from '../engine/answers';
import * as edit from '../state/edit';
import { keysOf, limits, roles, shipOf, type Scenario, type Facts, type Rules, type Ship, type Shot } from '../state/question';
import { words } from '../words/en';
import { Choose, Toggle } from './controls';
import { OnTable } from './onTable';
import { setOf, shipFacts, shipName, upgradeName, useLibrary, type Library } from './library';
import { BareNumbers, CardLines, MoreOfShip, ShipField, StatLine, Tokens, Upgrades, type Role } from './ship';

/// Names of the ships by id. Ships with the same name are numbered.
export function shipNames(library: Library, scenario: Scenario): Map<string, string> {
  const { shooters, targets, victims, friends } = roles(scenario);
  const named: [Ship, Role][] = [
    ...[...shooters, ...friends].map((ship): [Ship, Role] => [ship, 'attacker']),
    ...targets.map((ship): [Ship, Role] => [ship, victims.includes(ship) ? 'defender' : 'attacker']),
  ];
  const plain = named.map(([ship, role]) => shipName(library, ship, scenario.rules, role));
  const seen = new Map<string, number>();
  return new Map(
    named.map(([ship], i) => {
      const name = plain[i]!;
      const many = plain.filter((other) => other === name).length > 1;
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      return [ship.id, many ? words.numbered(name, number) : name];
    }),
  );
}

/// Returns the name of the ship with a key of a request.
export function namer(names: Map<string, string>, scenario: Scenario): (key: string) => string {
  const byKey = new Map([...keysOf(scenario)].map(([id, key]) => [key, names.get(id) ?? key]));
  return (key) => byKey.get(key) ?? key;
}

/// The facts that are stated, of all attacks.
export const factsOf = (scenario: Scenario): Facts => Object.assign({}, ...scenario.shots.map((shot) => shot.facts));

const withFact = (facts: Facts, name: string, value: boolean | number | undefined): Facts => {
  const { [name]: _old, ...rest } = facts;
  return value === undefined ? rest : { ...rest, [name]: value };
};

/// Sets a fact in all attacks by or on a ship, or in all attacks if `ship` is undefined.
export function setFact(scenario: Scenario, ship: string | undefined, name: string, value: boolean | number | undefined): Scenario {
  const shots = scenario.shots.map((shot) =>
    ship === undefined || shot.by === ship || shot.on.includes(ship) ? { ...shot, facts: withFact(shot.facts, name, value) } : shot,
  );
  return { ...scenario, shots };
}

const factsOn = (scenario: Scenario, ship: string): Facts =>
  Object.assign({}, ...scenario.shots.filter((shot) => shot.by === ship || shot.on.includes(ship)).map((shot) => shot.facts));

interface Props {
  scenario: Scenario;
  onChange: (scenario: Scenario) => void;
  caveats?: Caveats | undefined;
  /// Hides what has no meaning in the Survive view: friends, return fire, more targets, second attacks.
  plain?: boolean;
}

export function ScenarioEditor({ scenario, onChange, caveats, plain }: Props) {
  const library = useLibrary();
  const names = shipNames(library, scenario);
  const { targets, victims, friends } = roles(scenario);
  const full = scenario.shots.length >= limits.shots;
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number | undefined>();

  const dragTo = (event: PointerEvent, from: number): void => {
    const cards = [...(list.current?.children ?? [])] as HTMLElement[];
    const to = cards.findIndex((card) => {
      const box = card.getBoundingClientRect();
      return event.clientY < box.top + box.height / 2;
    });
    const target = to < 0 ? cards.length - 1 : to > from ? to - 1 : to;
    if (target !== from) {
      onChange(edit.moveShot(scenario, from, target));
      setDragged(target);
    }
  };
  return (
    <div class="scenario">
      <h2>{words.attackers}</h2>
      <ol class="shots" ref={list}>
        {scenario.shots.map((shot, at) => {
          const ship = shipOf(scenario, shot.by);
          if (!ship) return null;
          const first = scenario.shots.findIndex((other) => other.by === shot.by) === at;
          return (
            <li key={`${shot.by}-${scenario.shots.slice(0, at).filter((other) => other.by === shot.by).length}`} class={`card ${targets.includes(ship) ? 'defense' : 'attack'} ${dragged === at ? 'dragged' : ''}`}>
              <ShotCard
                {...{ scenario, shot, at, ship, names, onChange, caveats, plain }}
                again={!first || victims.includes(ship)}
                theirs={targets.includes(ship)}
                grip={
                  scenario.shots.length > 1 ? (
                    <button
                      type="button"
                      class="grip"
                      aria-label={words.moveAttack(at + 1, scenario.shots.length)}
                      title={words.moveHint}
                      onKeyDown={(event) => {
                        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
                        if (step === 0) return;
                        event.preventDefault();
                        const button = event.currentTarget;
                        onChange(edit.moveShot(scenario, at, at + step));
                        requestAnimationFrame(() => button.focus());
                      }}
                      onPointerDown={(event) => {
                        event.currentTarget.setPointerCapture(event.pointerId);
                        setDragged(at);
                      }}
                      onPointerMove={(event) => dragged !== undefined && dragTo(event, dragged)}
                      onPointerUp={() => setDragged(undefined)}
                      onPointerCancel={() => setDragged(undefined)}
                    >
                      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M5 3h2v2H5zM9 3h2v2H9zM5 7h2v2H5zM9 7h2v2H9zM5 11h2v2H5zM9 11h2v2H9z" /></svg>
                    </button>
                  ) : null
                }
              />
            </li>
          );
        })}
      </ol>
      <p class="adders">
        <button type="button" disabled={full} onClick={() => onChange(edit.addShooter(scenario))}>{words.addAttacker}</button>
        {plain ? null : (
          <>
            <button type="button" class="quiet" disabled={full} onClick={() => onChange(edit.addAnswer(scenario))}>{words.addAnswer}</button>
            <button type="button" class="quiet" onClick={() => onChange(edit.addFriend(scenario))}>{words.addFriend}</button>
          </>
        )}
      </p>
      {friends.map((ship) => (
        <section class="card friend" key={ship.id} aria-label={words.friend}>
          <header>
            <span class="role">{words.friend}</span>
            <ShipField ship={ship} role="attacker" rules={scenario.rules} label={words.friend} onChange={(next) => onChange(edit.setShip(scenario, next))} />
            <button type="button" class="icon" aria-label={words.remove(names.get(ship.id) ?? words.friend)} onClick={() => onChange(edit.removeFriend(scenario, ship.id))}>×</button>
          </header>
          <Tokens ship={ship} role="attacker" rules={scenario.rules} lockOn={targets.map(({ id }) => ({ id, name: names.get(id) ?? '' }))} onChange={(next) => onChange(edit.setShip(scenario, next))} />
          <Upgrades ship={ship} rules={scenario.rules} onChange={(next) => onChange(edit.setShip(scenario, next))} />
          <CardLines ship={ship} rules={scenario.rules} caveats={caveats} facts={factsOn(scenario, scenario.shots[0]?.by ?? '')} onFact={(name, value) => onChange(setFact(scenario, undefined, name, value))} />
        </section>
      ))}
      <h2>{victims.length > 1 ? words.defenders : words.defender}</h2>
      {victims.length > 1 && <p class="hint">{words.attackersChoose}</p>}
      {victims.map((ship) => (
        <TargetCard key={ship.id} {...{ scenario, ship, names, onChange, caveats, plain }} alone={victims.length === 1} />
      ))}
      {plain ? null : (
        <p class="adders">
          <button type="button" class="quiet" disabled={victims.length >= limits.targets} onClick={() => onChange(edit.addTarget(scenario))}>{words.addTarget}</button>
        </p>
      )}
    </div>
  );
}

/// The weapons of a ship, with the values that a request takes. The default is the primary weapon, or with `best` the best one, as in a
/// comparison.
export function weaponsOf(library: Library, ship: Ship, rules: Rules, best = false): { value: string; label: string }[] {
  const set = setOf(rules);
  const line = shipFacts(library, ship, rules).ship?.attack ?? '';
  const arcs = line.split(',').map((part) => /^\s*(\d+) (\S+)/.exec(part)).flatMap((match) => (match ? [[match[1]!, match[2]!] as const] : []));
  const cards = ship.upgrades.filter((id) => library.cardsInUse(id, 'upgrade', set === 'xwa' ? undefined : set)?.[0]?.weapon);
  if (best && arcs.length < 2 && cards.length === 0) return [];
  return [
    ...(best ? [{ value: '', label: words.bestWeapon }, { value: 'primary', label: words.primary }] : [{ value: '', label: words.primary }]),
    ...(arcs.length > 1 ? arcs.map(([dice, arc]) => ({ value: `primary:${arc}`, label: words.primaryArc(arc, dice) })) : []),
    ...cards.map((id) => ({ value: id, label: upgradeName(library, id, rules) })),
    ...(cards.length > 0 && !best ? [{ value: 'best', label: words.bestWeapon }] : []),
  ];
}

export function ShotFields({ shot, weapons, onChange, more }: {
  shot: Shot;
  weapons: { value: string; label: string }[];
  onChange: (shot: Partial<Shot>) => void;
  more?: boolean;
}) {
  const ranges = more || shot.range > 3 ? [0, 1, 2, 3, 4, 5] : [0, 1, 2, 3];
  const known = weapons.some((weapon) => weapon.value === (shot.weapon ?? ''));
  const { obstructed: chance, ...chances } = shot.chances ?? {};
  const sure = (change: Partial<Shot>, key: 'ranges' | 'chances', value: object | undefined): void => onChange({ ...change, [key]: value } as Partial<Shot>);
  return (
    <div class="shotFields">
      <Choose
        label={shot.ranges ? words.range + words.byChance(Object.values(shot.ranges)) : words.range}
        value={shot.ranges ? -1 : shot.range}
        options={ranges.map((value) => ({ value, label: String(value) }))}
        onChange={(range) => (shot.ranges ? sure({ range }, 'ranges', undefined) : onChange({ range }))}
      />
      <Toggle
        on={shot.obstructed || chance !== undefined}
        onChange={(obstructed) => (chance === undefined ? onChange({ obstructed }) : sure({ obstructed }, 'chances', Object.keys(chances).length > 0 ? chances : undefined))}
      >
        {words.obstructed}
        {chance === undefined ? null : words.byChance([chance])}
      </Toggle>
      {(weapons.length > 1 || shot.weapon) && (
        <label class="weapon">
          <span>{words.weapon}</span>
          <select
            value={shot.weapon ?? ''}
            onChange={(event) => {
              const value = (event.target as HTMLSelectElement).value;
              onChange({ weapon: value === '' ? undefined : value } as Partial<Shot>);
            }}
          >
            {known ? null : <option value={shot.weapon}>{shot.weapon}</option>}
            {weapons.map((weapon) => (
              <option key={weapon.value} value={weapon.value}>{weapon.label}</option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

function ShotCard({ scenario, shot, at, ship, names, onChange, caveats, plain, again, theirs, grip }: Props & {
  shot: Shot;
  at: number;
  ship: Ship;
  names: Map<string, string>;
  /// Whether another card has the ship's fields.
  again: boolean;
  /// Whether the ship belongs to the defending side.
  theirs: boolean;
  grip: preact.ComponentChildren;
}) {
  const library = useLibrary();
  const [more, setMore] = useState(false);
  const { victims: aimed, shooters } = roles(scenario);
  const set = (next: Ship): void => onChange(edit.setShip(scenario, next));
  const name = names.get(ship.id) ?? '';
  const victims = theirs ? shooters : aimed;
  return (
    <>
      <header>
        {grip}
        <span class="number" aria-hidden="true">{at + 1}</span>
        {again ? (
          <p class="again">{!theirs ? words.again(name) : words.answers(name, shot.on.map((id) => names.get(id) ?? '').join(', '))}</p>
        ) : (
          <ShipField ship={ship} role="attacker" rules={scenario.rules} label={words.attackerNumber(at + 1)} onChange={set} />
        )}
        {again ? null : (
          <button type="button" class="icon" title={words.repeat} aria-label={words.repeatShip(name)} onClick={() => onChange(edit.repeatShooter(scenario, at))}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1h8v2H5v8H3zM7 5h7v10H7zm2 2v6h3V7z" fill-rule="evenodd" /></svg>
          </button>
        )}
        {scenario.shots.length > 1 && (
          <button type="button" class="icon" aria-label={words.removeAttack(at + 1, name)} onClick={() => onChange(edit.removeShot(scenario, at))}>×</button>
        )}
      </header>
      {again ? null : (
        <>
          {theirs ? <p class="hint">{words.shootsAtNames(shot.on.map((id) => names.get(id) ?? ''))}</p> : null}
          <StatLine ship={ship} rules={scenario.rules} role="attacker" />
          <BareNumbers ship={ship} role="attacker" shotAt={scenario.shots.some((other) => other.on.includes(ship.id))} onChange={set} />
          <Tokens ship={ship} role="attacker" rules={scenario.rules} lockOn={victims.map(({ id }) => ({ id, name: names.get(id) ?? '' }))} onChange={set} />
        </>
      )}
      <ShotFields shot={shot} more={more} weapons={weaponsOf(library, ship, scenario.rules)} onChange={(change) => onChange(edit.changeShot(scenario, at, change))} />
      {again ? null : (
        <>
          <Upgrades ship={ship} rules={scenario.rules} onChange={set} />
          <CardLines ship={ship} rules={scenario.rules} caveats={caveats} facts={factsOn(scenario, ship.id)} onFact={(fact, value) => onChange(setFact(scenario, ship.id, fact, value))} />
        </>
      )}
      <details class="more" open={more} onToggle={(event) => setMore((event.currentTarget as HTMLDetailsElement).open)}>
        <summary>{words.moreOptions}</summary>
        {more && (
          <>
            {again ? null : <MoreOfShip ship={ship} role="attacker" rules={scenario.rules} onChange={set} />}
            <OnTable attacks ship={again ? undefined : ship} shot={shot} rules={scenario.rules} onShip={set} onShot={(next) => onChange({ ...scenario, shots: scenario.shots.map((old, i) => (i === at ? next : old)) })} />
            {victims.length > 1 && (
              <div class="tokens" role="group" aria-label={words.shootsAt}>
                <span class="name">{words.shootsAt}</span>
                {victims.map(({ id }) => (
                  <Toggle
                    key={id}
                    on={shot.on.includes(id)}
                    onChange={(on) => {
                      const next = on ? [...shot.on, id] : shot.on.filter((other) => other !== id);
                      if (next.length > 0) onChange(edit.changeShot(scenario, at, { on: next }));
                    }}
                  >
                    {names.get(id)}
                  </Toggle>
                ))}
              </div>
            )}
            <div class="steppers">
              <Toggle on={!shot.reinforced} onChange={(off) => onChange(edit.changeShot(scenario, at, { reinforced: !off }))}>{words.outsideReinforce}</Toggle>
              {plain ? null : <button type="button" class="quiet" onClick={() => onChange(edit.shootAgain(scenario, at))}>{words.shootsAgain}</button>}
            </div>
          </>
        )}
      </details>
    </>
  );
}

function TargetCard({ scenario, ship, names, onChange, caveats, plain, alone }: Props & { ship: Ship; names: Map<string, string>; alone: boolean }) {
  const [more, setMore] = useState(false);
  const { shooters } = roles(scenario);
  const set = (next: Ship): void => onChange(edit.setShip(scenario, next));
  const shoots = scenario.shots.some((shot) => shot.by === ship.id);
  const name = names.get(ship.id) ?? '';
  return (
    <section class="card defense" aria-label={words.defenderNamed(name)}>
      <header>
        <ShipField ship={ship} role="defender" rules={scenario.rules} label={words.defender} onChange={set} />
        {alone ? null : <button type="button" class="icon" aria-label={words.remove(name)} onClick={() => onChange(edit.removeTarget(scenario, ship.id))}>×</button>}
      </header>
      <StatLine ship={ship} rules={scenario.rules} role="defender" />
      <BareNumbers ship={ship} role="defender" shotAt={shoots} onChange={set} />
      <Tokens ship={ship} role="defender" rules={scenario.rules} lockOn={shoots ? shooters.map(({ id }) => ({ id, name: names.get(id) ?? '' })) : []} onChange={set} />
      <Upgrades ship={ship} rules={scenario.rules} onChange={set} />
      <CardLines ship={ship} rules={scenario.rules} caveats={caveats} facts={factsOn(scenario, ship.id)} onFact={(fact, value) => onChange(setFact(scenario, ship.id, fact, value))} />
      <details class="more" open={more} onToggle={(event) => setMore((event.currentTarget as HTMLDetailsElement).open)}>
        <summary>{words.moreOptions}</summary>
        {more && (
          <>
            <MoreOfShip ship={ship} role="defender" rules={scenario.rules} onChange={set} />
            <OnTable attacks={false} ship={ship} rules={scenario.rules} onShip={set} />
            {plain ? null : (
              <div class="steppers">
                <button type="button" class="quiet" onClick={() => onChange(edit.shootBack(scenario, ship.id))}>{words.shootsBack}</button>
              </div>
            )}
          </>
        )}
      </details>
    </section>
  );
}
