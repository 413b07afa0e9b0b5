// Sentences of the engine in players' words.
import { describe, expect, it } from 'vitest';
import { Library } from '../../src/parts/library';
import { AskError } from '../../src/engine/engine';
import { assumedFact, assumptionsText, cardName, sayPlainly, sayWrong } from '../../src/parts/sentence';
import { OwnCards } from '../../src/state/own';

const library = new Library({ kind: 'browser', ask: () => Promise.reject(new Error('not asked')) }, new OwnCards(undefined));
const sets = ['xwa'];
const first = ['first-edition'];
library.names = {
  ships: [
    { id: 't65xwing', name: 'T-65 X-wing', sets },
    { id: 'upsilonclassshuttle', name: 'Upsilon-class command shuttle', sets },
    { id: 'upsilonclassshuttle', name: 'Upsilon-class Shuttle', sets: first },
  ],
  pilots: [
    { id: 'emperorpalpatine', name: 'Emperor Palpatine', ship: '', sets },
    { id: 'greedo', name: 'Greedo', ship: '', sets },
    { id: 'leebo', name: '“Leebo”', ship: '', sets },
    { id: 'sunnybounder', name: 'Sunny Bounder', ship: '', sets },
  ],
  upgrades: [
    { id: '4lom', name: '4-LOM', sets },
    { id: 'predator', name: 'Predator', sets },
    { id: 'protontorpedoes', name: 'Proton Torpedoes', sets },
    { id: 'afterburners', name: 'Afterburners', sets },
    { id: 'leebo', name: '"Leebo"', sets: first },
    { id: 'arccaster', name: 'ARC Caster', sets: first },
  ],
} as unknown as Library['names'];
const nameOf = (key: string): string => ({ a1: 'Wedge Antilles', d: 'Darth Vader' })[key] ?? key;

describe('sentences of the engine', () => {
  it.each([
    // ids and what tells effects of a card apart
    ['emperorpalpatine: naming a focus or a blank result', 'Emperor Palpatine: naming a focus or a blank result'],
    ['greedo: that the card is dealt faceup', 'Greedo: that the card is dealt faceup'],
    ['damage deck core: injured-pilot: pilot ability and elite talents stay in use', 'damage deck core: Injured pilot: pilot ability and elite talents stay in use'],
    ['use 4lom:no-evade, then spend focus', 'use 4-LOM (no evade), then spend focus'],
    ['use sunnybounder:a1:4', 'use Sunny Bounder (Wedge Antilles, 4)'],
    ['use predator', 'use Predator'],
    ['a1 has focus and 2 charge:protontorpedoes; d has no tokens', 'Wedge Antilles has focus and 2 charges of Proton Torpedoes; Darth Vader has no tokens'],
    // what the user wrote stays
    ['the ship "t65xwing" is read as upsilonclassshuttle', 'the ship "t65xwing" is read as Upsilon-class command shuttle'],
    // words that are also names stay words
    ['the hunter becomes a predator', 'the hunter becomes a predator'],
    ['spend the lock: reroll focus and blank', 'spend the lock: reroll focus and blank'],
    // places of a request
    ['attacks[0]: it makes no difference whether the defender is damaged', 'attack 1: it makes no difference whether the defender is damaged'],
    ['rounds[0].attacks[1].facts[0]: x', 'round 1, attack 2: x'],
    ['rounds[1].attacks[0]: x', 'round 2, attack 1: x'],
    ['rounds[1]: x', 'round 2: x'],
    ['pilots[0].upgrades.talent[0]: the upgrade "predatr" is left out', 'ship 1: the upgrade "predatr" is left out'],
    ['mine[1]: no such pilot', 'my squad, ship 2: no such pilot'],
    // every word of the program
    ['one SPEC for each side, or two SPECs', 'one ship for each side, or two ships'],
    // remedies of files and commands
    ['a1 uses the weapon protontorpedoes (1.9); weapon= selects another', 'Wedge Antilles uses the weapon Proton Torpedoes (1.9)'],
    ['Force is back after each shot; --refresh round lets it recover', 'Force is back after each shot'],
    ["'protontorpedoes' needs a lock on d; add it to the tokens of 'a1'", "Proton Torpedoes needs a lock on Darth Vader; add it to the tokens of Wedge Antilles"],
    ["Wedge: 'protontorpedoes' needs a lock on defender; add it to the tokens of 'attacker'", 'Wedge: Proton Torpedoes needs a lock on defender'],
    // editions and card sets
    ['it is read with the card set xwa, unless another is chosen', 'it is read with the card set X-Wing Alliance (XWA), unless another is chosen'],
    ['first-edition has no such token', 'First edition has no such token'],
  ])('%s', (text, said) => {
    expect(sayPlainly(text, library, {}, nameOf)).toBe(said);
  });

  it.each([
    ['squad', 'no attack value; write it as a number without a key, or name the ship with ship=ID', /^The squad: no attack value\. Write the ship or pilot first/],
    ['mine', '"hello" is not a token, key, fact or upgrade; the tokens are lock, focus, ...; the keys are hull=, size=', /^My squad: "hello" is not a ship, a pilot, an upgrade or a token\. Write/],
    ['squads[1]', 'has 41 ships, but a squad has at most 40; leave out the others', /^List 2 has 41 ships, but a squad has at most 40; leave out the others$/],
    ['attacks[0].range', 'is out of range', /^Attack 1 is out of range$/],
    ['rounds[1].attacks[0].range', 'is out of range', /^Round 2, attack 1 is out of range$/],
    ['', 'the server does not answer', /^the server does not answer$/],
  ])('errors: %s: %s', (place, message, said) => {
    expect(sayWrong(new AskError(message, place, 2), library, {})).toMatch(said);
  });

  it.each([
    [{}, '“Leebo”', 'Upsilon-class command shuttle'],
    [{ cards: 'xwa' }, '“Leebo”', 'Upsilon-class command shuttle'],
    [{ cards: 'first-edition' }, '"Leebo"', 'Upsilon-class Shuttle'],
    [{ rules: 'first-edition' as const }, '"Leebo"', 'Upsilon-class Shuttle'],
  ])('names of the card set: %j', (rules, leebo, shuttle) => {
    expect(cardName(library, 'leebo', rules)).toBe(leebo);
    expect(sayPlainly('use leebo', library, rules)).toBe(`use ${leebo}`);
    expect(cardName(library, 'upsilonclassshuttle', rules)).toBe(shuttle);
    // Another card set names what this one lacks.
    expect(cardName(library, 'arccaster', rules)).toBe('ARC Caster');
    expect(cardName(library, 'predator', rules)).toBe('Predator');
  });

  it('assumed facts', () => {
    expect(assumedFact('not bullseye (predator, 4lom)')).toEqual({ name: 'bullseye', holds: false, cards: ['predator', '4lom'] });
    expect(assumptionsText(['in-front-arc', 'not no-evade (4lom)'], library, {})).toBe('in front arc, not no evade (4-LOM)');
  });
});
