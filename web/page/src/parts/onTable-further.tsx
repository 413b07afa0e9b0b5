/// The fields for what lies on the table: chances of what is unknown, faces in place of dice, damage cards from before. Few questions
/// need them, so they load when they are first opened.
import { useState } from 'preact/hooks';
import { limits, type FaceKey, type Rules, type Ship, type Shot } from '../state/question';
import { words } from '../words/en';
import { viewWords } from '../words/views';
import { tableWords } from '../words/table';
import { Combo } from './combo';
import { Choose, Stepper } from './controls';
import { deckCards } from './decks';
import { DieShape, FaceButton } from './dice';
import './onTable-further.css';

export interface OnTableProps {
  ship?: Ship | undefined;
  shot?: Shot;
  /// Whether the ship attacks.
  attacks: boolean;
  rules: Rules;
  /// Hides the faces of the defense dice, where the question has no place for them.
  attackOnly?: boolean;
  onShip: (ship: Ship) => void;
  onShot?: (shot: Shot) => void;
}

type Percents = Record<string, number>;

const without = <T extends object, K extends keyof T>(object: T, key: K): T => {
  const { [key]: _old, ...rest } = object;
  return rest as T;
};
/// Sets a key of an object of percentages; without any the object itself is dropped.
function withPercent<T extends { chances?: Percents }>(on: T, key: string, percent: number | undefined): T {
  const chances = without({ ...on.chances }, key);
  if (percent !== undefined) chances[key] = percent;
  return Object.keys(chances).length > 0 ? { ...on, chances } : without(on, 'chances');
}

function Percent({ name, label, value, onChange }: { name: string; label: string; value: number | undefined; onChange: (percent: number | undefined) => void }) {
  return (
    <label class="percent">
      <span aria-hidden="true">{name}</span>
      <input
        type="number"
        inputMode="numeric"
        aria-label={label}
        min={0}
        max={100}
        step={5}
        placeholder={tableWords.sure}
        value={value ?? ''}
        onInput={(event) => {
          const text = (event.target as HTMLInputElement).value;
          const percent = Number(text);
          if (text === '') onChange(undefined);
          else if (percent >= 0 && percent <= 100) onChange(percent);
        }}
      />
      <span aria-hidden="true">%</span>
    </label>
  );
}

function Chances({ ship, shot, attacks, onShip, onShot }: OnTableProps) {
  const kinds = ship ? [...new Set(['focus', ...(attacks ? [] : ['evade']), ...Object.keys(ship.tokens)])] : [];
  const setToken = (kind: string, percent: number | undefined): void => {
    const given = { ...ship!, tokens: { ...ship!.tokens, ...(percent !== undefined && !ship!.tokens[kind] ? { [kind]: 1 } : {}) } };
    onShip(withPercent(given, kind, percent));
  };
  return (
    <fieldset class="onTable">
      <legend>{tableWords.chances}</legend>
      <div class="percents">
        {kinds.map((kind) => (
          <Percent key={kind} name={words.token(kind)} label={tableWords.likely(words.token(kind))} value={ship!.chances?.[kind]} onChange={(percent) => setToken(kind, percent)} />
        ))}
        {ship && ship.locks.length > 0 && (
          <Percent name={tableWords.lock} label={tableWords.likely(tableWords.lock)} value={ship.chances?.lock} onChange={(percent) => onShip(withPercent(ship, 'lock', percent))} />
        )}
        {shot && onShot && (
          <Percent
            name={tableWords.obstructed}
            label={tableWords.likely(tableWords.obstructed)}
            value={shot.chances?.obstructed}
            onChange={(percent) => onShot(withPercent({ ...shot, obstructed: false }, 'obstructed', percent))}
          />
        )}
      </div>
      {shot && onShot && <Ranges shot={shot} onShot={onShot} />}
    </fieldset>
  );
}

/// Percentages of the ranges 1 to 3. They change the question once they add up to 100.
function Ranges({ shot, onShot }: { shot: Shot; onShot: (shot: Shot) => void }) {
  const [typed, setTyped] = useState<Percents | undefined>();
  const shown = typed ?? shot.ranges ?? {};
  const sum = Object.values(shown).reduce((all, percent) => all + percent, 0);
  const set = (range: string, percent: number | undefined): void => {
    const next = without({ ...shown }, range);
    if (percent !== undefined) next[range] = percent;
    const total = Object.values(next).reduce((all, part) => all + part, 0);
    const none = Object.keys(next).length === 0;
    setTyped(none || total === 100 ? undefined : next);
    if (total === 100) onShot({ ...shot, ranges: Object.fromEntries(Object.entries(next).filter(([, part]) => part > 0)) });
    else if (shot.ranges) onShot(without(shot, 'ranges'));
  };
  const ranges = [...new Set(['1', '2', '3', ...Object.keys(shown)])].sort();
  return (
    <>
      <div class="percents" role="group" aria-label={tableWords.ranges}>
        {ranges.map((range) => (
          <Percent key={range} name={tableWords.rangeNumber(range)} label={tableWords.likely(tableWords.rangeNumber(range))} value={shown[range]} onChange={(percent) => set(range, percent)} />
        ))}
      </div>
      {typed && <p class="hint" role="status">{tableWords.rangeSum(sum)}</p>}
    </>
  );
}

type DiceWay = '' | 'rolled' | 'results';
interface DiceSide {
  die: 'attack' | 'defense';
  faces: string[];
  keys: Record<'rolled' | 'results', FaceKey>;
}
const sides: DiceSide[] = [
  { die: 'attack', faces: ['hit', 'crit', 'focus', 'blank'], keys: { rolled: 'rolled', results: 'results' } },
  { die: 'defense', faces: ['evade', 'focus', 'blank'], keys: { rolled: 'defense_rolled', results: 'defense_results' } },
];

function Dice({ shot, onShot, side }: { shot: Shot; onShot: (shot: Shot) => void; side: DiceSide }) {
  const { die, faces, keys } = side;
  const stated: DiceWay = shot.faces?.[keys.results] ? 'results' : shot.faces?.[keys.rolled] ? 'rolled' : '';
  const [wanted, setWanted] = useState(stated);
  const way = stated || wanted;
  const list = way === '' ? [] : (shot.faces?.[keys[way]] ?? []);
  const set = (next: DiceWay, given: string[]): void => {
    const others = without(without({ ...shot.faces }, keys.rolled), keys.results);
    const all: Shot['faces'] = next !== '' && given.length > 0 ? { ...others, [keys[next]]: given } : others;
    onShot(Object.keys(all).length > 0 ? { ...shot, faces: all } : without(shot, 'faces'));
  };
  return (
    <div class="tableRow" role="group" aria-label={tableWords.diceOf(die === 'attack')}>
      <Choose
        label={tableWords.diceOf(die === 'attack')}
        value={way}
        options={(['', 'rolled', 'results'] as const).map((value) => ({ value, label: tableWords.way(value), title: tableWords.wayTitle(value) }))}
        onChange={(next) => {
          setWanted(next);
          set(next, list);
        }}
      />
      {way === '' ? null : (
        <>
          <div class="dice">
            {list.map((face, i) => (
              <button key={i} type="button" class="dieButton" aria-label={viewWords.takeDie(face)} onClick={() => set(way, list.filter((_, j) => j !== i))}>
                <DieShape face={face} die={die} />
                <span>{words.face(face)}</span>
              </button>
            ))}
          </div>
          {list.length === 0 && <p class="hint">{tableWords.tapFaces}</p>}
          {list.length < limits.faces && (
            <div class="faces" role="group" aria-label={viewWords.addDice}>
              {faces.map((face) => <FaceButton key={face} face={face} die={die} onClick={() => set(way, [...list, face])} />)}
            </div>
          )}
        </>
      )}
    </div>
  );
}

function DamageCards({ ship, rules, onShip }: { ship: Ship; rules: Rules; onShip: (ship: Ship) => void }) {
  const faceup = ship.faceup ?? [];
  const set = (ids: string[]): void => onShip(ids.length > 0 ? { ...ship, faceup: ids } : without(ship, 'faceup'));
  const known = deckCards(rules.rules, rules.deck);
  return (
    <fieldset class="onTable">
      <legend>{tableWords.cards}</legend>
      <Stepper label={viewWords.facedown} value={ship.facedown ?? 0} most={20} onChange={(count) => onShip(count ? { ...ship, facedown: count } : without(ship, 'facedown'))} />
      <div class="upgrades">
        {faceup.map((id, i) => (
          <span class="chip" key={i}>
            {tableWords.card(id)}
            <button type="button" aria-label={words.remove(tableWords.card(id))} onClick={() => set(faceup.filter((_, j) => j !== i))}>×</button>
          </span>
        ))}
        {faceup.length < limits.faceup && (
          <Combo
            adds
            class="addUpgrade"
            label={tableWords.addFaceup}
            value=""
            placeholder={tableWords.addFaceup}
            search={(text) =>
              known
                .filter((id) => tableWords.card(id).toLowerCase().includes(text.trim().toLowerCase()))
                .map((id) => ({ key: id, label: tableWords.card(id), detail: '' }))
            }
            onPick={({ key }) => set([...faceup, key])}
          />
        )}
      </div>
      <p class="hint">{tableWords.faceupHint}</p>
    </fieldset>
  );
}

export function OnTableFields(props: OnTableProps) {
  const { ship, shot, rules, attackOnly, onShip, onShot } = props;
  return (
    <>
      {shot && onShot && (
        <fieldset class="onTable">
          <legend>{tableWords.dice}</legend>
          {sides.filter(({ die }) => die === 'attack' || !attackOnly).map((side) => <Dice key={side.die} {...{ shot, onShot, side }} />)}
        </fieldset>
      )}
      <Chances {...props} />
      {ship && <DamageCards {...{ ship, rules, onShip }} />}
    </>
  );
}
