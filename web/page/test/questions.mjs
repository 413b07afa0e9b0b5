// Questions with real squads and long names, for pictures and for axe.
export const questions = {
  attack: '#v1/attack?a=wedgeantilles.predator~f1l1r1&a=:t65xwing~f1&d=:tielnfighter~f1e1',
  attackLong:
    '#v1/attack?a=lukeskywalker.instinctiveaim.protontorpedoes.r2d2-crew~l1,weapon=protontorpedoes&a=2~f1r3,obstructed&x=d:a1~r2&d=darthvader.hate.firecontrolsystem~f1,lock=a1&o=kill',
  attackBare: '#v1/attack?a=3~f1l1&d=2~f1',
};
