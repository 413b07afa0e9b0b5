/// The damage cards that a ship can start with, by edition and deck. A test compares them with profiles/decks.
const second = 'direct-hit fuel-leak hull-breach structural-damage weapons-failure blinded-pilot disabled-power-regulator console-fire panicked-pilot wounded-pilot stunned-pilot loose-stabilizer damaged-engine damaged-sensor-array';
const first = 'direct-hit minor-explosion thrust-control-fire blinded-pilot weapon-malfunction structural-damage injured-pilot munitions-failure console-fire damaged-cockpit damaged-engine damaged-sensor-array minor-hull-breach stunned-pilot';
const tfa = 'direct-hit major-explosion thrust-control-fire blinded-pilot weapons-failure structural-damage major-hull-breach console-fire damaged-cockpit damaged-engine damaged-sensor-array loose-stabilizer shaken-pilot stunned-pilot';

export const deckCards = (edition: string | undefined, deck: string | undefined): string[] =>
  (edition === 'first-edition' ? (deck === 'core-tfa' ? tfa : first) : second).split(' ');
