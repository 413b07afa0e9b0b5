// Questions with real squads and long names, for screenshots and axe.
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';

const deflated = (text) => `.${deflateRawSync(text).toString('base64url')}`;
/// A squad packed for an address.
export const packed = (name) => deflated(JSON.stringify(JSON.parse(readFileSync(new URL(`../../../profiles/squads/${name}.json`, import.meta.url), 'utf8'))));

export const questions = {
  home: '#v1/home',
  luck: '#v1/luck?a=wedgeantilles~f1l1r1&d=soontirfel~f1e1&pr=hffb&ps=nothing&pdr=eb&pds=nothing',
  luckDefender: '#v1/luck?a=2&d=3~f1e1&pr=hh&dmg=1&me=defender',
  luckEmpty: '#v1/luck',
  play: '#v1/play?begin=example',
  playLog: '#v1/play?begin=log',
  playEmpty: '#v1/play',
  attack: '#v1/attack?a=wedgeantilles.predator~f1l1r1&a=:t65xwing~f1&d=:tielnfighter~f1e1',
  attackLong:
    '#v1/attack?a=lukeskywalker.instinctiveaim.protontorpedoes.r2d2-crew~l1,weapon=protontorpedoes&a=2~f1r3,obstructed&x=d:a1~r2&d=darthvader.hate.firecontrolsystem~f1,lock=a1&o=kill',
  attackBare: '#v1/attack?a=3~f1l1&d=2~f1',
  attackChoice: '#v1/attack?a=3~f1&a=:t65xwing~f1l1&d=lukeskywalker~f1&d=wedgeantilles~f1&o=kill',
  advise: '#v1/advise?a=:t65xwing~f1l1r1&a=:t65xwing~f1&d=:tielnfighter~f1e1&o=kill&pr=hffb',
  adviseBefore: '#v1/advise?a=2&d=3~f1e1&pr=hh&pto=defender',
  adviseKeep: '#v1/advise?a=3~f1,agility=2&x=d2:a1&x=d3:a1&d=2~f1&e=3~f1&e=3~f1&pr=hfb',
  adviseStart: '#v1/advise?a=3~f1l1&d=2~f1',
  compare: '#v1/compare?i=wedgeantilles.predator~f1&i=wedgeantilles.marksmanship~f1&i=wedgeantilles.crackshot~f1&d=:tieininterceptor~f1',
  compareTwice: '#v1/compare?i=lukeskywalker.protontorpedoes~l1,weapon=protontorpedoes&i=lukeskywalker~l1,x=2&d=:tieininterceptor~f1&d=:tielnfighter~f1',
  compareSquad: `#v1/compare?z=${packed('rebels')}&d=:tieininterceptor~f1`,
  squad: `#v1/squad?z=${packed('rebels')}&against=${packed('empire')}`,
  squadOne: '#v1/squad?z=pilot%3Dwedgeantilles+crackshot',
  squadEmpty: '#v1/squad',
  battle: `#v1/battle?z=${packed('rebels')}&against=${packed('empire')}&flight=range-2`,
  battleShips: '#v1/battle?m=lukeskywalker.instinctiveaim&t=:tielnfighter&t=:tielnfighter&flight=range-2',
  battleLists: `#v1/battle?z=${deflated('Luke Skywalker | Wedge Antilles | Red Squadron Veteran')}&against=${deflated('Darth Vader | Soontir Fel | Academy Pilot')}&flight=range-2`,
  battleEmpty: '#v1/battle',
  gauntlet: `#v1/gauntlet?z=${packed('rebels')}&z=${packed('empire')}&z=${deflated('Luke Skywalker | Wedge Antilles')}&flight=range-2`,
  gauntletEmpty: '#v1/gauntlet',
  survive: '#v1/survive?a=:tielnfighter~f1&a=:tielnfighter~f1&a=:tielnfighter~f1&d=darthvader~f1',
  surviveOne: '#v1/survive?a=3~f1&d=:t65xwing~f1',
  hazards: '#v1/hazards?h=thermal-detonator&d=0~,hull=3&d=:t65xwing',
  hazardsContest: '#v1/hazards?h=player-order',
  cards: '#v1/cards?q=reroll+defense&show=upgrade:predator',
  cardsAll: '#v1/cards',
};
