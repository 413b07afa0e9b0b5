/// The fields of one ship: its identity, tokens and upgrades, its cards in plain words and the board facts that they depend on.
import { useState } from 'preact/hooks';
import type { CardPage, Caveats } from '../engine/answers';
import type { Facts, OnFact, Rules, Ship } from '../state/question';
import { limits } from '../state/question';
import { replaceShip } from '../state/edit';
import { words } from '../words/en';
import { Combo } from './combo';
import { Stepper, Toggle, TokenChip } from './controls';
import { matches, readShip, setOf, shipFacts, shipName, upgradeName, useLibrary, withReading, type Choice } from './library';
import { useOwnCards } from './own';

export type Role = 'attacker' | 'defender';

interface FieldProps {
  ship: Ship;
  role: Role;
  rules: Rules;
  label: string;
  onChange: (ship: Ship) => void;
}

/// The field for a ship, a pilot or a bare number of dice.
export function ShipField({ ship, role, rules, label, onChange }: FieldProps) {
  const library = useLibrary();
  const set = setOf(rules);
  const search = (text: string): Choice[] => {
    const number = /^\s*(\d{1,2})(?!\S)/.exec(text)?.[1];
    const dice = number !== undefined && Number(number) <= limits.dice ? [Number(number)] : text.trim() === '' ? [2, 3, 4] : [];
    const bare = dice.map((count): Choice => ({ key: `dice:${count}`, label: words.dice(count, role), detail: words.bareDice }));
    type Entry = { name: string; more: string; choice: Choice };
    const pilots = library.names.pilots.filter((pilot) => pilot.sets.includes(set));
    const hulls = library.names.ships.filter((hull) => hull.sets.includes(set));
    const entries: Entry[] = [
      ...hulls.map((hull) => ({ name: hull.name, more: '', choice: { key: `ship:${hull.id}`, label: hull.name, detail: words.shipDetail(hull) } })),
      ...(text.trim() === '' ? [] : pilots).map((pilot) => ({
        name: pilot.name,
        more: pilot.ship ?? '',
        choice: { key: `pilot:${pilot.id}`, label: pilot.name, detail: words.pilotDetail(pilot.ship ?? '', pilot.initiative, pilot.id) },
      })),
    ];
    const found = matches(entries, text, (entry) => entry.name, (entry) => entry.more, 40);
    if (text.trim() === '') return [...bare, ...found.map((entry) => entry.choice)];
    const { first, keys } = readShip(library.find('pilots', text, set), library.find('ships', text, set));
    return [...bare, ...withReading(found, entries, (entry) => entry.choice.key, first, keys).map((entry) => entry.choice)];
  };
  const waiting = (text: string): boolean =>
    text.trim() !== '' && (!library.find('pilots', text, set) || !library.find('ships', text, set) || !library.loadedSet(set));
  const pick = ({ key }: Choice): void => {
    const [kind, id = ''] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)];
    if (kind === 'pilot') onChange(replaceShip(ship, { pilot: id }));
    if (kind === 'ship') onChange(replaceShip(ship, { ship: id }));
    if (kind === 'dice') onChange(replaceShip(ship, role === 'attacker' ? { attack: Number(id) } : { agility: Number(id) }));
  };
  const empty = !ship.pilot && !ship.ship && ship.attack === undefined && ship.agility === undefined;
  return (
    <Combo
      class="shipField"
      label={label}
      value={empty ? '' : shipName(library, ship, rules, role)}
      placeholder={words.shipPlaceholder}
      search={search}
      waiting={waiting}
      onPick={pick}
      onFocus={() => library.load(set)}
    />
  );
}

export function StatLine({ ship, rules, role }: { ship: Ship; rules: Rules; role: Role }) {
  const library = useLibrary();
  const known = shipFacts(library, ship, rules);
  if (!known.ship) return null;
  return (
    <p class="statline">
      {words.statLine({
        ship: ship.pilot ? known.ship.name : undefined,
        attack: role === 'attacker' ? (ship.attack !== undefined ? String(ship.attack) : known.ship.attack) : undefined,
        agility: role === 'defender' ? (ship.agility ?? known.ship.agility) : undefined,
        hull: role === 'defender' ? (ship.hull ?? known.ship.hull) : undefined,
        shields: role === 'defender' ? (ship.shields ?? known.ship.shields) : undefined,
        initiative: known.pilot?.initiative,
      })}
    </p>
  );
}

const usualTokens: Record<Role, string[]> = {
  attacker: ['focus', 'calculate', 'force'],
  defender: ['focus', 'evade', 'calculate', 'force', 'reinforce'],
};
const otherTokens: Record<Role, string[]> = {
  attacker: ['evade', 'deplete', 'stress', 'ion', 'jam', 'tractor', 'strain', 'disarm', 'reinforce', 'energy'],
  defender: ['strain', 'tractor', 'stress', 'deplete', 'ion', 'jam', 'cloak', 'disarm', 'energy'],
};
const firstEditionTokens = ['focus', 'evade', 'stress', 'tractor', 'ion', 'jam', 'reinforce', 'energy', 'weapons-disabled', 'cloak'];

/// The ship without the chance of a token or of its lock.
export function withoutChance(ship: Ship, key: string): Ship {
  const { chances, ...rest } = ship;
  const { [key]: _old, ...left } = chances ?? {};
  return Object.keys(left).length > 0 ? { ...rest, chances: left } : rest;
}

export function Tokens({ ship, role, rules, lockOn, onChange, all }: {
  ship: Ship;
  role: Role;
  rules: Rules;
  /// The ships that it can have a lock on, by id and name.
  lockOn: { id: string; name: string }[];
  onChange: (ship: Ship) => void;
  all?: boolean;
}) {
  const first = rules.rules === 'first-edition';
  const known = (kind: string): boolean => !first || firstEditionTokens.includes(kind);
  const stated = otherTokens[role].filter((kind) => ship.tokens[kind] !== undefined);
  const kinds = all ? otherTokens[role] : [...usualTokens[role], ...stated];
  const setToken = (kind: string, count: number | undefined): void => {
    const { [kind]: _old, ...rest } = ship.tokens;
    onChange(count === undefined ? withoutChance({ ...ship, tokens: rest }, kind) : { ...ship, tokens: { ...rest, [kind]: count } });
  };
  return (
    <div class="tokens" role="group" aria-label={words.tokens}>
      {kinds.filter(known).map((kind) => (
        <TokenChip key={kind} kind={kind} count={ship.tokens[kind]} percent={ship.chances?.[kind]} onChange={(count) => setToken(kind, count)} />
      ))}
      {all
        ? null
        : lockOn.map(({ id, name }) => (
            <Toggle
              key={id}
              class="token lock"
              on={ship.locks.includes(id)}
              onChange={(on) => onChange(on ? { ...ship, locks: [...ship.locks, id] } : withoutChance({ ...ship, locks: ship.locks.filter((other) => other !== id) }, 'lock'))}
            >
              {lockOn.length > 1 ? words.lockOn(name) : words.lock}
              {ship.locks.includes(id) && ship.chances?.lock !== undefined ? words.byChance([ship.chances.lock]) : null}
            </Toggle>
          ))}
    </div>
  );
}

/// Chips of the upgrades, and a field to add one.
export function Upgrades({ ship, rules, onChange }: { ship: Ship; rules: Rules; onChange: (ship: Ship) => void }) {
  const library = useLibrary();
  const own = useOwnCards();
  const set = setOf(rules);
  const search = (text: string): Choice[] => {
    const mine = own.list
      .filter((card) => card.kind === 'upgrade' && card.id.includes(text.trim().toLowerCase()))
      .map((card): Choice => ({ key: card.id, label: card.id, detail: words.ownCard }));
    const there = library.names.upgrades.filter((upgrade) => upgrade.sets.includes(set) && !ship.upgrades.includes(upgrade.id));
    const read = text.trim() === '' ? undefined : library.find('upgrades', text, set);
    const found = withReading(
      matches(there, text, (upgrade) => upgrade.name, (upgrade) => upgrade.slots ?? '', 30),
      there,
      (upgrade) => upgrade.id,
      read?.reading?.id,
      read?.ids ?? [],
    ).map((upgrade): Choice => ({ key: upgrade.id, label: upgrade.name, detail: words.upgradeDetail(upgrade.slots, upgrade.id) }));
    return [...mine, ...found];
  };
  return (
    <div class="upgrades" role="group" aria-label={words.upgrades}>
      {ship.upgrades.map((id) => (
        <span class="chip" key={id}>
          {upgradeName(library, id, rules)}
          <button
            type="button"
            aria-label={words.remove(upgradeName(library, id, rules))}
            onClick={() => onChange({ ...ship, upgrades: ship.upgrades.filter((other) => other !== id) })}
          >
            ×
          </button>
        </span>
      ))}
      {ship.upgrades.length < limits.upgrades && (
        <Combo
          adds
          class="addUpgrade"
          label={words.addUpgrade}
          value=""
          placeholder={words.addUpgrade}
          search={search}
          waiting={(text) => text.trim() !== '' && (!library.find('upgrades', text, set) || !library.loadedSet(set))}
          onPick={({ key }) => onChange({ ...ship, upgrades: [...ship.upgrades.filter((other) => other !== key), key] })}
          onFocus={() => library.load(set)}
        />
      )}
    </div>
  );
}

/// The effects of a ship's cards in plain words, with a switch for each board fact that one of them depends on.
export function CardLines({ ship, rules, facts, onFact, caveats }: {
  ship: Ship;
  rules: Rules;
  /// The board facts that the user has stated.
  facts?: Facts;
  onFact?: OnFact;
  caveats?: Caveats | undefined;
}) {
  const library = useLibrary();
  const own = useOwnCards();
  const cards: { id: string; kind: string; name: string }[] = [
    ...(ship.pilot ? [{ id: ship.pilot, kind: 'pilot', name: shipName(library, ship, rules, 'attacker') }] : []),
    ...ship.upgrades.map((id) => ({ id, kind: 'upgrade', name: upgradeName(library, id, rules) })),
  ];
  if (cards.length === 0) return null;
  return (
    <ul class="cardLines">
      {cards.map((card) => {
        const mine = own.list.some((other) => other.id === card.id && other.kind === card.kind);
        const pages = library.cardsInUse(card.id, card.kind, setOf(rules) === 'xwa' ? undefined : setOf(rules));
        const missing = caveats?.unmodelled?.includes(card.id);
        const nothing = caveats?.no_effect?.includes(card.id);
        const page = pages?.[0];
        // Skip pilots that have no page, since their ability changes no dice.
        if (!page && !mine && !missing && card.kind === 'pilot') return null;
        return <CardLine key={`${card.kind}:${card.id}`} {...{ card, page, mine, missing, nothing, facts, onFact }} loading={pages === undefined || !caveats} />;
      })}
    </ul>
  );
}

function CardLine({ card, page, mine, missing, nothing, loading, facts, onFact }: {
  card: { id: string; name: string };
  page: CardPage | undefined;
  mine: boolean;
  missing: boolean | undefined;
  nothing: boolean | undefined;
  loading: boolean;
  facts: Facts | undefined;
  onFact: OnFact | undefined;
}) {
  const [whole, setWhole] = useState(false);
  const texts = page?.effects.map((effect) => effect.text) ?? [];
  const long = texts.length > 1 || (texts[0]?.length ?? 0) > 140;
  return (
    <li class={missing ? 'missing' : ''}>
      <p class={whole ? 'whole' : 'clipped'}>
        <b>{card.name}</b>{' '}
        {missing ? <em class="mark">{words.notModelled}</em> : nothing ? <em>{words.noEffect}</em> : mine ? <em>{words.ownCard}</em> : null}
        {page?.weapon ? `${words.weaponText(page.weapon)} ` : ''}
        {(whole ? texts : texts.slice(0, 1)).join(' ')}
        {!page && !missing && !nothing && !mine ? (loading ? '…' : words.noEffect) : null}
      </p>
      {long && (
        <button type="button" class="link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? words.showLess : words.showMore}
        </button>
      )}
      {page && page.partly.length > 0 && <p class="mark">{words.partlyModelled(page.partly.join('; '))}</p>}
      {onFact && page?.facts.map((fact) => <FactLine key={fact.name} fact={fact} stated={facts?.[fact.name]} onFact={onFact} />)}
    </li>
  );
}

/// A switch for a board fact, which starts with the card's usual value. Some facts also have a count.
function FactLine({ fact, stated, onFact }: { fact: CardPage['facts'][number]; stated: Facts[string] | undefined; onFact: OnFact }) {
  const holds = stated === undefined ? fact.usual : stated !== false;
  return (
    <span class="factLine">
      <button
        type="button"
        class={`fact ${stated === undefined ? 'assumed' : 'stated'}`}
        aria-pressed={holds}
        onClick={() => onFact(fact.name, holds === fact.usual ? !fact.usual : undefined)}
      >
        <span class="tick" aria-hidden="true">{holds ? '✓' : '✗'}</span>
        {words.factWords(fact.meaning, holds)} <small>{stated === undefined ? words.assumed : words.stated}</small>
      </button>
      {fact.counted && holds && (
        <Stepper label={words.factCount(fact.meaning)} value={typeof stated === 'number' ? stated : 1} least={1} most={9} onChange={(count) => onFact(fact.name, count)}>
          {words.factCountShort}
        </Stepper>
      )}
    </span>
  );
}

/// The fields that are rarely needed: other tokens, and numbers that override the stat line.
export function MoreOfShip({ ship, role, rules, onChange }: Omit<FieldProps, 'label'>) {
  const bare = !ship.pilot && !ship.ship;
  const number = (key: 'attack' | 'agility' | 'hull' | 'shields', least: number, most: number) => (
    <Stepper
      label={words.stat(key)}
      value={ship[key]}
      least={least}
      most={most}
      unset={words.asOnCard}
      onChange={(value) => {
        const { [key]: _old, ...rest } = ship;
        onChange(value === undefined ? rest : { ...rest, [key]: value });
      }}
    />
  );
  return (
    <>
      <Tokens all ship={ship} role={role} rules={rules} lockOn={[]} onChange={onChange} />
      <div class="steppers">
        {role === 'attacker' ? (bare ? null : number('attack', 0, 20)) : bare ? null : number('agility', 0, 20)}
        {role === 'attacker' && !bare ? number('agility', 0, 20) : null}
        {bare && role === 'defender' ? null : number('hull', 1, 99)}
        {bare && role === 'defender' ? null : number('shields', 0, 99)}
      </div>
    </>
  );
}

/// The fields for dice, hull and shields of a ship without pilot or type.
export function BareNumbers({ ship, role, shotAt, noDice, onChange }: { ship: Ship; role: Role; shotAt?: boolean; noDice?: boolean; onChange: (ship: Ship) => void }) {
  if (ship.pilot || ship.ship) return null;
  const other = role === 'attacker' ? 'agility' : 'attack';
  const dice = role === 'attacker' ? 'attack' : 'agility';
  const optional = (key: 'hull' | 'shields', least: number) => (
    <Stepper
      label={words.stat(key)}
      value={ship[key]}
      least={least}
      unset={words.none}
      onChange={(value) => {
        const { [key]: _old, ...rest } = ship;
        onChange(value === undefined ? rest : { ...rest, [key]: value });
      }}
    />
  );
  return (
    <div class="steppers">
      {noDice ? null : <Stepper label={words.diceLabel(role)} value={ship[dice] ?? 0} most={limits.dice} onChange={(value) => onChange({ ...ship, [dice]: value ?? 0 })} />}
      {shotAt && (
        <Stepper label={words.diceLabel(role === 'attacker' ? 'defender' : 'attacker')} value={ship[other] ?? 0} most={limits.dice} onChange={(value) => onChange({ ...ship, [other]: value ?? 0 })} />
      )}
      {role === 'defender' && optional('hull', 1)}
      {role === 'defender' && optional('shields', 0)}
    </div>
  );
}
