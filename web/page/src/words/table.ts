/// The texts of the fields for what lies on the table, which load when they are first opened. To translate them, see en.ts.
export const tableWords = {
  chances: 'Not sure? How likely is it, in percent',
  sure: 'sure',
  lock: 'lock',
  obstructed: 'obstructed',
  likely: (name: string): string => `${name}, likely in percent`,
  ranges: 'Range, in percent',
  rangeNumber: (range: string): string => `range ${range}`,
  rangeSum: (sum: number): string => `The ranges add up to ${sum} %. They count once they add up to 100 %.`,
  dice: 'In place of dice',
  diceOf: (attack: boolean): string => (attack ? 'Attack dice' : 'Defense dice'),
  way: (way: string): string => ({ '': 'rolled at random', rolled: 'this roll', results: 'these results' })[way] ?? way,
  wayTitle: (way: string): string =>
    ({ rolled: 'both players still modify it', results: 'what is left after all modifications' })[way] ?? 'the dice are rolled',
  tapFaces: 'Tap what the dice show.',
  cards: 'Damage cards from before',
  addFaceup: 'add a faceup card',
  faceupHint: 'Faceup cards act. Each card takes one hull.',
  card: (id: string): string => id.replace(/-/g, ' ').replace(/^./, (letter) => letter.toUpperCase()),
};
