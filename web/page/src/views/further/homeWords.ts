/// The texts and examples of the home view. To translate the page, translate these too.
import { words } from '../../words/en';

interface HomeQuestion {
  ask: string;
  /// A filled example.
  address: string;
  /// The name of the view.
  where: string;
}

const attack = words.view('attack');
const advise = words.view('advise');
const luck = words.view('luck');
const compare = words.view('compare');
const squad = words.view('squad');
const survive = words.view('survive');
const play = words.view('play');
const hazards = words.view('hazards');
const cards = words.view('cards');

export const homeWords = {
  title: 'What do you want to know?',
  hint: 'Tap a question: it opens filled with an example. Change the ships, and every figure follows.',
  groups: [
    {
      title: 'At the table, now',
      questions: [
        { ask: 'Two ships shoot at that one: how often is it gone?', address: '#v1/attack?a=3~f1l1r1&a=2~f1&d=:tieininterceptor~f1e1', where: attack },
        { ask: 'I rolled hit, focus, blank, and will be shot at afterwards: spend the focus or keep it?', address: '#v1/advise?a=3~f1,agility=2&x=d2:a1&x=d3:a1&d=2~e1&e=3~f1&e=3~f1&pr=hfb', where: advise },
        { ask: 'Luke or Wedge: whom do I shoot first?', address: '#v1/advise?a=:tieininterceptor~f1&d=lukeskywalker~f1&d=wedgeantilles~f1', where: advise },
        { ask: 'Four ships can shoot at me this round: what are my chances?', address: '#v1/attack?a=:t65xwing~f1&a=:t65xwing~f1&a=:t65xwing~f1&a=:t65xwing~f1&d=soontirfel~f1e1', where: attack },
        { ask: 'Three hits are coming: what do three green dice with a focus stop?', address: '#v1/advise?a=3&d=3~f1&pr=hhh&pto=defender', where: advise },
        { ask: 'A proton bomb goes off beside three of us: what does it do, and who survives?', address: '#v1/hazards?h=proton-bomb&d=:tielnfighter&d=soontirfel&d=:t65xwing', where: hazards },
        { ask: 'What does Crack Shot do?', address: '#v1/cards?q=crack+shot&show=upgrade:crackshot', where: cards },
        { ask: 'Tell me the odds before each attack and the best play after each roll, until the game is over.', address: '#v1/play?begin=example', where: play },
      ],
    },
    {
      title: 'After the dice',
      questions: [
        { ask: 'Two hits against my three green dice with focus and evade, and one went through: how unlucky was that?', address: '#v1/luck?a=2&d=3~f1e1&pr=hh&dmg=1&me=defender', where: luck },
        { ask: 'We have the dice of last night written down. Was I unlucky, and which decision cost me most?', address: '#v1/play?begin=log', where: play },
      ],
    },
    {
      title: 'Before the game',
      questions: [
        { ask: 'My list or theirs: who wins, how likely is it, and what would change it?', address: '#v1/battle?m=lukeskywalker&m=wedgeantilles&t=darthvader&flight=range-2', where: words.view('battle') },
        { ask: 'Which of these lists should I bring?', address: '#v1/gauntlet?z=luke+skywalker+%7C+wedge+antilles&z=darth+vader+%7C+soontir+fel&z=boba+fett+%7C+fenn+rau&flight=range-2', where: words.view('gauntlet') },
        { ask: 'Predator or Marksmanship on this ship?', address: '#v1/compare?i=wedgeantilles.predator~f1&i=wedgeantilles.marksmanship~f1&d=:tieininterceptor~f1', where: compare },
        { ask: 'Proton torpedoes once, or the primary weapon twice?', address: '#v1/compare?i=lukeskywalker.protontorpedoes~l1,weapon=protontorpedoes&i=lukeskywalker.protontorpedoes~l1,weapon=primary,x=2&d=:tieininterceptor~f1', where: compare },
        { ask: 'Which ship of my squad should take the shot at that target, and with what?', address: '#v1/compare?i=lukeskywalker.protontorpedoes~l1&i=wedgeantilles.predator~f1&i=:btla4ywing.ioncannonturret~f1&d=darthvader~f1', where: compare },
        { ask: 'What is Crack Shot worth, per point?', address: '#v1/squad?z=wedge+antilles,+crack+shot', where: squad },
        { ask: 'How many rounds does Vader live against three TIE fighters?', address: '#v1/survive?a=:tielnfighter~f1&a=:tielnfighter~f1&a=:tielnfighter~f1&d=darthvader~f1', where: survive },
        { ask: 'Here is my list as text, copied from a forum: what does each ship do?', address: '#v1/squad?z=luke+skywalker+%2B+proton+torpedoes+%7C+wedge+antilles+%2B+predator', where: squad },
      ],
    },
  ] satisfies { title: string; questions: HomeQuestion[] }[],
};
