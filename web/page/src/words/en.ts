/// All texts of the page. To translate it, copy this file, translate the quoted texts and import the copy instead. Sentences from the
/// engine (what a card does, what is wrong) are not in this file, nor are texts that load on demand: those of views.ts and
/// table.ts beside it, and of the files named ...Words.ts in views/further.

import type { View } from '../state/question';

export const plural = (n: number, one: string, many: string): string => (n === 1 ? one : many);
const list = (names: string[]): string => {
  const counted = new Map<string, number>();
  for (const name of names.map((text) => text.replace(/ \(\d+\)$/, ''))) counted.set(name, (counted.get(name) ?? 0) + 1);
  return [...counted].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)).join(' + ');
};

const tokenNames: Record<string, string> = {
  focus: 'focus', lock: 'lock', calculate: 'calculate', evade: 'evade', force: 'force', energy: 'energy', reinforce: 'reinforce',
  strain: 'strain', deplete: 'deplete', stress: 'stress', tractor: 'tractor', ion: 'ion', jam: 'jam', cloak: 'cloak', disarm: 'disarm',
  'weapons-disabled': 'weapons disabled',
};
const objectiveNames: Record<string, [string, string]> = {
  damage: ['damage', 'as much damage as possible; no ship leaves play'],
  kill: ['the kill', 'the best chance to destroy, then damage'],
  health: ['hull and shields', 'hull and shields removed; what is beyond does not count'],
  exchange: ['the exchange', 'what both sides lose, as shares of what they had'],
};
const policyNames: Record<string, string> = {
  optimal: 'as well as possible',
  greedy: 'only with this attack in mind',
  hold: 'spends nothing',
};
const setNames: Record<string, string> = {
  xwa: 'X-Wing Alliance (XWA)',
  '2025': 'the publisher’s last (2025)',
  legacy: 'legacy (2.0)',
  'first-edition': 'first edition',
  'first-edition-4.2.3': 'first edition, FAQ 4.2.3',
};
/// The parts of a request that errors name.
const placeNames: Record<string, string> = {
  rounds: 'round', attacks: 'attack', attack: 'attacker', defend: 'defender', pilots: 'ship', items: 'loadout', squads: 'list', squad: 'the squad', against: 'the other squad',
  mine: 'my squad', theirs: 'their squad',
};
const statNames: Record<string, string> = { attack: 'attack', agility: 'agility', hull: 'hull', shields: 'shields' };

export const words = {
  decimalPoint: '.',
  thousands: ',',
  name: 'salvo',

  // ---------------------------------------------------------------- the shell
  view: (view: View): string =>
    ({ home: 'Home', attack: 'Attack', advise: 'Should I?', luck: 'Luck', compare: 'Compare', squad: 'Squad', battle: 'Battle', gauntlet: 'Gauntlet', survive: 'Survive', play: 'Play', hazards: 'Hazards', cards: 'Cards' })[view],
  viewQuestion: (view: View): string =>
    ({
      home: 'What do you want to know?',
      attack: 'What do these attacks do?',
      advise: 'Spend it or keep it? Reroll what?',
      luck: 'Was that luck?',
      compare: 'Which of these is better?',
      squad: 'What does each ship of a squad do?',
      battle: 'Which squad wins?',
      gauntlet: 'Which list should I bring?',
      survive: 'How long does it live?',
      play: 'A game at the table, attack by attack',
      hazards: 'Bombs, mines and rocks',
      cards: 'What does this card do?',
    })[view],
  views: 'What you can ask',
  viewNotFetched: 'This part of the page could not be fetched: is there a network?',
  skip: 'Skip to the answer',
  undo: 'Undo',
  redo: 'Redo',
  recent: 'Recent',
  recentTitle: 'Asked before',
  noRecent: 'Your questions are listed here. They are stored in this browser only.',
  startOver: 'Start over',
  theme: (now: string): string => `Colours: ${now}`,
  themes: { auto: 'as the device', dark: 'dark', light: 'light' } as Record<string, string>,
  linkProblems: (parts: string[]): string => `Parts of this link were not understood and are left out: ${parts.join(', ')}`,
  dismiss: 'Close',
  footer: 'Every figure is computed by salvo, in this browser or on the server that gave you this page. Nothing is sent anywhere else.',
  crashed: 'The page failed on this question. That is our fault; your earlier questions are still there.',

  // ---------------------------------------------------------------- questions
  question: 'The question',
  answer: 'The answer',
  details: 'The answer in detail',
  attackers: 'Attacks, in order',
  attackerNumber: (n: number): string => `Attacker ${n}`,
  defender: 'Defender',
  defenders: 'Defenders',
  defenderNamed: (name: string): string => `Defender: ${name}`,
  attackersChoose: 'Each attacker chooses the best target when its attack comes.',
  friend: 'Friend that helps',
  shipPlaceholder: 'ship, pilot or number of dice',
  dice: (n: number, role: string): string => `${n} ${role === 'attacker' ? 'attack' : 'defense'} ${plural(n, 'die', 'dice')}`,
  bareDice: 'just dice, no ship',
  pilotDetail: (ship: string, initiative: number | undefined, id: string): string => {
    const variant = id.includes('-') ? ` · ${id.slice(id.indexOf('-') + 1)}` : '';
    return `${ship}${initiative === undefined ? '' : ` · initiative ${initiative}`}${variant}`;
  },
  shipDetail: (ship: { attack?: string; agility?: number; hull?: number; shields?: number }): string =>
    `attack ${ship.attack || '–'} · agility ${ship.agility ?? 0} · hull ${ship.hull ?? 0}${ship.shields ? ` · shields ${ship.shields}` : ''}`,
  upgradeDetail: (slots: string | undefined, id: string): string => `${slots ?? ''}${id.includes('-') ? ` · ${id.slice(id.indexOf('-') + 1)}` : ''}`,
  statLine: (line: { ship: string | undefined; attack: string | undefined; agility: number | undefined; hull: number | undefined; shields: number | undefined; initiative: number | undefined }): string =>
    [
      line.ship,
      line.attack === undefined ? undefined : `attack ${line.attack || '–'}`,
      line.agility === undefined ? undefined : `agility ${line.agility}`,
      line.hull === undefined ? undefined : `hull ${line.hull}`,
      line.shields ? `shields ${line.shields}` : undefined,
      line.initiative === undefined ? undefined : `initiative ${line.initiative}`,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
  diceLabel: (role: string): string => (role === 'attacker' ? 'attack dice' : 'defense dice'),
  stat: (key: string): string => statNames[key] ?? key,
  asOnCard: 'card',
  none: '–',
  nothingFound: (text: string): string => `Nothing is called “${text}”.`,

  tokens: 'Tokens',
  token: (kind: string): string => tokenNames[kind] ?? kind,
  charges: (card: string): string => `charges of ${card}`,
  tokenButton: (name: string, count: number): string => `${name}${count > 0 ? ` ${count}` : ''}: add one`,
  /// Follows the name of something that is there only by chance.
  byChance: (percents: number[]): string => ` ${percents.join('/')} %`,
  tokenLess: (name: string): string => `one ${name} less`,
  lock: 'lock',
  lockOn: (name: string): string => `lock on ${name}`,
  less: (label: string): string => `${label}: one less`,
  more: (label: string): string => `${label}: one more`,
  range: 'range',
  obstructed: 'obstructed',
  outsideReinforce: 'outside the reinforced arc',
  weapon: 'shoots with',
  primary: 'primary weapon',
  primaryArc: (arc: string, dice: string): string => `primary, ${arc} (${dice})`,
  bestWeapon: 'whichever is best',
  weaponText: (text: string): string => `Weapon: ${text}.`,
  upgrades: 'Upgrades',
  addUpgrade: 'add upgrade',
  remove: (name: string): string => `Remove ${name}`,
  removeAttack: (n: number, name: string): string => `Remove attack ${n}, ${name}`,
  repeat: 'The same ship once more',
  repeatShip: (name: string): string => `Another ${name} behind it`,
  moveAttack: (n: number, of: number): string => `Attack ${n} of ${of}: drag, or arrow keys, to change the order`,
  moveHint: 'Drag, or use the arrow keys, to change the order',
  again: (name: string): string => `${name} shoots again`,
  answers: (name: string, whom: string): string => `${name} shoots back at ${whom}`,
  shootsAgain: 'Shoots a second time',
  shootsBack: 'Shoots back',
  shootsAt: 'shoots at',
  addAttacker: '+ attacker',
  addAnswer: '+ they shoot back',
  shootsAtNames: (names: string[]): string => `shoots at ${names.join(' or ')}`,
  addFriend: '+ friend that helps',
  addTarget: '+ another target',
  moreOptions: 'More',
  showMore: 'all of it',
  showLess: 'less',

  assumptions: 'Assumptions',
  assumptionsTap: 'Assumptions, tap to change',
  assumed: 'assumed',
  stated: 'stated',
  statedByYou: 'said by you',
  assumedFor: (cards: string): string => `assumed for ${cards}`,
  factWords: (meaning: string, holds: boolean): string => (holds ? meaning : `not: ${meaning}`),
  factCount: (meaning: string): string => `how many: ${meaning}`,
  factCountShort: 'how many',
  factShort: (name: string, holds: boolean): string => (holds ? name : `not ${name}`).replaceAll('-', ' '),
  notModelled: 'not modelled',
  noEffect: 'changes no dice',
  ownCard: 'a card of yours',
  partlyModelled: (what: string): string => `Left out: ${what}`,
  unmodelledLine: (names: string): string => `Not modelled, so not counted: ${names}`,
  partlyLine: (what: string): string => `Modelled in part, without: ${what}`,
  noEffectLine: (names: string): string => `Changes no dice, tokens or damage here: ${names}`,

  playFor: 'They play for',
  objective: (id: string): string => objectiveNames[id]?.[0] ?? id,
  objectiveMeaning: (id: string): string => objectiveNames[id]?.[1] ?? '',
  rulesAndEngine: (stated: number): string => `Rules and computing${stated > 0 ? ` (${stated} changed)` : ''}`,
  edition: 'Edition',
  editionName: (id: string): string => ({ 'second-edition': 'Second edition', 'first-edition': 'First edition' })[id] ?? id,
  cardSet: 'Cards',
  cardSetName: (id: string): string => setNames[id] ?? id,
  damageDeck: 'Damage deck',
  noDeck: 'not dealt: damage is counted',
  coreDeck: 'core deck, cards are dealt',
  policyOf: (key: string): string => (key === 'attackerPolicy' ? 'The attacker plays' : 'The defender plays'),
  policy: (id: string): string => policyNames[id] ?? id,
  engine: 'Computed',
  engineName: (id: string): string =>
    ({ '': 'exactly where possible', exact: 'exactly', sample: 'by rolling dice', both: 'both ways, compared' })[id] ?? id,
  trials: 'Rolls',
  trialsName: (id: string): string => (id === '' ? 'as usual' : Number(id).toLocaleString('en')),

  // ---------------------------------------------------------------- answers
  engineComing: 'The answer is on its way; the form works already.',
  working: 'Working on it',
  stop: 'Stop',
  stopped: 'Stopped.',
  again_: 'Ask again',
  noCard: 'a ship, a pilot, an upgrade or a token',
  squadRemedy: 'Write the ship or pilot first, as in “Wedge Antilles, Crack Shot”, or paste XWS, a builder’s link or a list of ships.',
  placeIn: (part: string, n?: number): string =>
    `${placeNames[part] ?? part.replaceAll('_', ' ')}${n === undefined ? '' : `${part === 'mine' || part === 'theirs' ? ', ship' : ''} ${n}`}`,
  errorKind: (status: number): string => (status === 2 ? 'That cannot be:' : status === 3 ? 'Too large:' : 'Our fault:'),
  destroyed: 'destroyed',
  anyDamage: 'at least one damage',
  meanDamage: 'mean damage',
  damage: 'damage',
  damageTo: (name: string): string => `Damage to ${name}`,
  exactly: 'exactly',
  orMore: 'or more',
  leftOf: (name: string): string => `Hull and shields left of ${name}`,
  left: 'left',
  hull: 'hull',
  shields: 'shields',
  asTable: (caption: string): string => `${caption}, as a table`,
  byAttack: 'By attack',
  attack: 'attack',
  dice_: 'dice',
  hits: 'hits',
  happens: 'happens',
  bonusBy: (card: string): string => `bonus attack, ${card}`,
  tokensLeft: 'Tokens left, on average',
  oneMore: 'What would one more token be worth?',
  oneMoreCaption: (objective: string): string => (objective === 'kill' ? 'Gain in the chance to destroy' : 'Gain for its side, in damage'),
  change: 'change',
  forWhom: 'for',
  gain: 'gain',
  bestOrder: 'Who should shoot first?',
  order: 'order',
  value: 'value',
  loses: 'against the best',
  best: 'best',
  howLine: (engine: string, took: number, trials: number | undefined): string => {
    const how = engine === 'sample' ? `sampled, ${(trials ?? 0).toLocaleString('en')} rolls` : engine === 'both' ? 'exact, and checked by sampling' : 'exact';
    return `${how} · ${took < 10 ? took.toFixed(1) : Math.round(took)} ms · how was this computed?`;
  },
  answeredBy: (who: string): string => (who === 'server' ? 'by the server that gave you this page' : 'in this browser'),
  engineReason: (reason: string): string => `Why this way: ${reason}`,
  policies: (attacker: string, defender: string): string =>
    `The attacker plays ${policyNames[attacker] ?? attacker}, the defender ${policyNames[defender] ?? defender}`,
  cardsOf: (set: string, date: string): string => `cards: ${setNames[set] ?? set}${date ? ` of ${date}` : ''}`,
  sampleLine: (trials: number, seed: number, generator: string): string => `${trials.toLocaleString('en')} rolls, seed ${seed}, ${generator}`,
  crossCheck: (agree: boolean, p: number): string => (agree ? `Exact and sampled figures agree (p = ${p})` : `Exact and sampled figures DISAGREE (p = ${p})`),
  wouldAdd: (changes: string): string => `The damage deck would change mean damage: ${changes}`,
  deckLine: (deck: string): string => `Damage deck: ${deck}`,

  // ---------------------------------------------------------------- sharing
  share: 'Share',
  copyLink: 'Link',
  copyPicture: 'Picture',
  copyText: 'Text',
  copyJson: 'JSON',
  copyCommand: 'Command',
  linkCopied: 'Link copied',
  pictureCopied: 'Picture copied',
  pictureSaved: 'Picture saved',
  textCopied: 'Text copied',
  jsonCopied: 'JSON copied',
  commandCopied: 'Command copied',
  copyFailed: 'The browser does not let the page copy',
  attackTitle: (attackers: string[], defenders: string[]): string => `${list(attackers)} → ${defenders.join(' or ')}`,
  summaryLine: (name: string, chance: string, label: string, mean: string): string => `${name}: ${chance} ${label}, mean damage ${mean}`,
  orMoreLine: (name: string, parts: string[]): string => `${name ? `${name}: ` : ''}damage ${parts.join(', ')}`,
  assumedLine: (facts: string): string => `assumed: ${facts}`,

  // ---------------------------------------------------------------- dice
  face: (face: string): string => face,
  addFace: (face: string): string => `add a ${face}`,

  // ---------------------------------------------------------------- several views
  cannotSay: 'No answer to this',
  numbered: (name: string, n: number): string => `${name} (${n})`,
  fightTitle: (mine: string, theirs: string): string => `${mine || '?'} against ${theirs || '?'}`,
};
