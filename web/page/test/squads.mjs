// Squads as players write and paste them (docs/format.md: Squads), for the fields of the page.
// `wrong`: the squad, a battle and a gauntlet with it are refused.
import { readFileSync } from 'node:fs';

const file = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const rebels = file('profiles/squads/rebels.json');

export const squads = [
  // XWS as builders and people paste it
  { what: 'XWS', text: rebels },
  { what: 'XWS in one line', text: JSON.stringify(JSON.parse(rebels)) },
  { what: 'XWS in a block of code', text: `\`\`\`json\n${rebels}\n\`\`\`` },
  { what: 'XWS within other objects', text: JSON.stringify({ data: { xws: JSON.parse(rebels) } }) },
  { what: 'XWS of the first edition', text: file('tests/data/squads/first-edition.json') },
  { what: 'XWS with unknown cards', text: file('tests/data/squads/partly-unknown.json') },
  { what: 'XWS with standard loadouts', text: file('tests/data/squads/standard-loadouts.json') },
  { what: 'XWS without ships', text: file('tests/data/squads/empty-lists.json') },
  { what: 'XWS that counts ships', text: JSON.stringify({ pilots: [{ id: 'academypilot', ship: 'tielnfighter', multiplier: 3 }] }) },
  { what: 'XWS without a name of a ship', text: JSON.stringify({ pilots: [{ name: 'wedgeantilles' }] }) },
  { what: 'XWS without quotation marks', text: '{pilots: [{id: wedgeantilles, ship: t65xwing}]}' },
  // lists in words
  { what: 'a ship', text: 'Wedge Antilles' },
  { what: 'a ship and an upgrade behind a comma', text: 'wedge antilles, crack shot' },
  { what: 'a SPEC', text: 'pilot=wedgeantilles crackshot' },
  { what: 'plus signs', text: 'Luke Skywalker + R2-D2 + Proton Torpedoes' },
  { what: 'a bar and a number behind', text: 'Wedge Antilles | Academy Pilot x2' },
  { what: 'a number before', text: '2x Academy Pilot\nSoontir Fel' },
  { what: 'x 2', text: 'Academy Pilot x 2' },
  { what: 'and', text: 'Luke Skywalker and Wedge Antilles' },
  { what: 'semicolons', text: 'Academy Pilot x2; Soontir Fel' },
  { what: 'slashes', text: 'Darth Vader / Soontir Fel / Academy Pilot' },
  { what: 'a ship a line', text: 'Luke Skywalker\nWedge Antilles' },
  { what: 'brackets and points', text: 'Rey [Push the Limit, Kanan Jarrus, Finn] (61)\nPoe Dameron (PS9)' },
  { what: 'upgrades on lines below', text: 'Wedge Antilles (55)\n    Proton Torpedoes (13)\n2x Academy Pilot\nTotal: 100' },
  { what: 'bullets', text: '• Luke Skywalker – R2-D2\n• Wedge Antilles – Predator' },
  { what: 'numbered lines', text: '1. Luke Skywalker\n2. Wedge Antilles\n3. Red Squadron Veteran' },
  { what: 'a list in a block of code', text: '```\nLuke Skywalker + Predator\nWedge Antilles\n```' },
  { what: 'markup', text: '**Darth Vader** (_Fire-Control System_)\n**Soontir Fel**' },
  { what: 'slots named', text: 'Wedge Antilles [Talent] Predator [Torpedo] Proton Torpedoes' },
  { what: 'a nickname', text: 'slave 1' },
  { what: 'one name of several', text: 'Han Solo (Scum)' },
  { what: 'a name that is misspelled', text: 'Luke Skywalkr\nWedge Antilles' },
  { what: 'a line that is no ship', text: 'my best list\nLuke Skywalker + Predator\nWedge Antilles' },
  { what: 'quotes', text: '“Howlrunner” + Juke | "Mauler" Mithel' },
  // links
  { what: 'a link of a builder', text: 'https://yasb.app/?f=Rebel%20Alliance&d=v9ZhZ20Z4X&sn=Unnamed' },
  // wrong
  { what: 'HTML', text: '<b>Darth Vader</b><br>Soontir Fel' },
  { what: 'with, and in', text: 'Darth Vader in TIE Advanced x1 with Fire-Control System and Hate' },
  { what: 'a link of a quick build', text: 'https://launchbaynext.app/print?qb=1', wrong: true },
  { what: 'nothing that is a ship', text: 'hello world', wrong: true },
  { what: 'a link that names no squad', text: 'https://example.com/squads/42', wrong: true },
  { what: 'too many ships', text: 'Academy Pilot x41', wrong: true },
  { what: 'numbers alone', text: '100', wrong: true },
  { what: 'an upgrade alone', text: 'Predator', wrong: true },
];
