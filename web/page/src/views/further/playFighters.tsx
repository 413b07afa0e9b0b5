/// The ships of a game with their tokens, locks, charges and damage.
import { useState } from 'preact/hooks';
import { Stepper, Toggle, TokenChip } from '../../parts/controls';
import { upgradeName } from '../../parts/library';
import { TokenShape } from '../../parts/shapes';
import { health, isGone, type Fighter, type Game } from '../../state/further/game';
import { words } from '../../words/en';
import type { Names } from './playNames';
import { playWords } from './playWords';

const usual = ['focus', 'evade'];
const further = ['calculate', 'reinforce', 'stress', 'strain', 'deplete', 'jam', 'tractor', 'ion'];

export function Fighters({ game, names, onChange }: { game: Game; names: Names; onChange: (fighter: Fighter) => void }) {
  return (
    <>
      <h2>{playWords.ships}</h2>
      <p class="hint">{playWords.shipsHint}</p>
      <ul class="fighters">
        {game.fighters.map((fighter) => (
          <li key={fighter.name} class={`card ${fighter.player === 0 ? 'attack' : 'defense'} ${isGone(fighter) ? 'isGone' : ''}`}>
            <FighterRow {...{ fighter, game, names, onChange }} />
          </li>
        ))}
      </ul>
    </>
  );
}

function FighterRow({ fighter, game, names, onChange }: { fighter: Fighter; game: Game; names: Names; onChange: (fighter: Fighter) => void }) {
  const [locking, setLocking] = useState(false);
  const [more, setMore] = useState(false);
  const { library, rules } = names;
  const name = names.nameOf(fighter);
  const foes = game.fighters.filter((other) => other.player !== fighter.player && !isGone(other));
  const setTokens = (kind: string, count: number | undefined): void => {
    const { [kind]: _old, ...rest } = fighter.tokens;
    onChange({ ...fighter, tokens: count ? { ...rest, [kind]: count } : rest });
  };
  const toggleLock = (foe: Fighter): void => {
    setLocking(false);
    onChange({ ...fighter, locks: fighter.locks.includes(foe.name) ? fighter.locks.filter((one) => one !== foe.name) : [foe.name] });
  };
  const shown = [...usual, ...further.filter((kind) => fighter.tokens[kind])];
  return (
    <>
      <p class="fighterName">
        <b>{name}</b> <small>{isGone(fighter) ? playWords.gone : playWords.shipLine(names.initiativeOf(fighter), health(fighter) - fighter.damage, health(fighter))}</small>
      </p>
      {isGone(fighter) && !more ? null : (
        <div class="tokens" role="group" aria-label={`${words.tokens}: ${name}`}>
          {shown.map((kind) => <TokenChip key={kind} kind={kind} count={fighter.tokens[kind]} onChange={(count) => setTokens(kind, count)} />)}
          <button type="button" class={`toggle token ${fighter.locks.length > 0 ? 'on' : ''}`} aria-expanded={locking} aria-label={playWords.lockOf(name)} onClick={() => setLocking(!locking)}>
            <TokenShape kind="lock" /> {fighter.locks.length > 0 ? playWords.lockOn(fighter.locks.map((lock) => names.nameOf(game.fighters.find((other) => other.name === lock))).join(', ')) : words.lock}
          </button>
        </div>
      )}
      {locking && (
        <div class="tokens" role="group" aria-label={playWords.lockOf(name)}>
          {foes.map((foe) => (
            <Toggle key={foe.name} label={playWords.lockTarget(name, names.nameOf(foe))} on={fighter.locks.includes(foe.name)} onChange={() => toggleLock(foe)}>{names.nameOf(foe)}</Toggle>
          ))}
        </div>
      )}
      <details class="more" open={more} onToggle={(event) => setMore((event.currentTarget as HTMLDetailsElement).open)}>
        <summary>{playWords.more}</summary>
        {more && (
          <>
            <div class="tokens">
              {further.filter((kind) => !fighter.tokens[kind]).map((kind) => <TokenChip key={kind} kind={kind} count={undefined} onChange={(count) => setTokens(kind, count)} />)}
            </div>
            <div class="steppers">
              <Stepper label={playWords.suffered(name)} value={fighter.damage} onChange={(damage) => onChange({ ...fighter, damage: damage ?? 0 })}>{words.damage}</Stepper>
              {Object.entries(fighter.charges).map(([kind, charges]) => {
                const what = kind === 'force' ? words.token('force') : upgradeName(library, kind, rules);
                return (
                  <Stepper
                    key={kind}
                    label={playWords.chargesOf(what, name)}
                    value={charges.left}
                    most={charges.most}
                    onChange={(left) => onChange({ ...fighter, charges: { ...fighter.charges, [kind]: { ...charges, left: left ?? 0 } } })}
                  >
                    {what}
                  </Stepper>
                );
              })}
            </div>
          </>
        )}
      </details>
    </>
  );
}
