/// A play as `advise` words it ("use predator, then spend focus and evade on blank, then the lock: reroll 2 focus and blank"),
/// as what has been spent and which dice are rolled again: the next step of a roll follows from a tap on the play.

export interface PlayRead {
  /// Words of --spent, once for each.
  spent: string[];
  /// Faces of the dice that are rolled again.
  reroll: string[];
  /// An attacker's choice of a target, by its name in the request.
  target?: string;
}

const faces = ['hit', 'crit', 'focus', 'blank', 'evade'];

function diceOf(text: string): string[] | undefined {
  const out: string[] = [];
  for (const part of text.split(/, | and /)) {
    const match = /^(?:(\d+) )?([a-z]+?)s?$/.exec(part.trim());
    // "focus" is not the plural of anything.
    const word = part.trim().replace(/^\d+ /, '');
    const face = faces.includes(word) ? word : match?.[2];
    if (!match || !face || !faces.includes(face)) return undefined;
    for (let n = Number(match[1] ?? 1); n > 0; --n) out.push(face);
  }
  return out;
}

function itemsOf(text: string, known: (word: string) => boolean): string[] | undefined {
  const out: string[] = [];
  // "focus and evade on blank and focus": what follows `on` are dice, until the next thing that can be spent.
  for (const part of text.split(/, | and /)) {
    const [what = ''] = part.split(' on ');
    const match = /^(?:(\d+) )?(\S+)$/.exec(what.trim());
    if (!match) return undefined;
    const word = match[2]!;
    const single = !known(word) && word.endsWith('s') && known(word.slice(0, -1)) ? word.slice(0, -1) : word;
    const isDie = out.length > 0 && !part.includes(' on ') && faces.includes(single.replace(/s$/, '')) && !known(single);
    if (isDie) continue;
    for (let n = Number(match[1] ?? 1); n > 0; --n) out.push(single);
  }
  return out;
}

/// Nothing where the words are not those that this page knows: then the dice have to be told by hand.
export function readPlay(play: string, tokens: readonly string[]): PlayRead | undefined {
  const shoot = /^shoot at (\S+)/.exec(play);
  if (shoot) return { spent: [], reroll: [], target: shoot[1]! };
  const out: PlayRead = { spent: [], reroll: [] };
  if (play === 'spend nothing') return out;
  const known = (word: string): boolean => tokens.includes(word);
  for (const part of play.split(', then ')) {
    const [left = '', dice] = part.split(': reroll ');
    const what = left.replace(/^(?:spend|use) /, '').replace(/^the /, '');
    const items = itemsOf(what, known);
    if (!items || items.length === 0) return undefined;
    out.spent.push(...items);
    if (dice !== undefined) {
      const rolled = diceOf(dice);
      if (!rolled) return undefined;
      out.reroll.push(...rolled);
    }
  }
  return out;
}

/// Dice after some of them were rolled again: the first that shows the old face shows the new one.
export function afterRerolls(rolled: string[], rerolled: [string, string][]): string[] {
  const dice = [...rolled];
  const done = new Set<number>();
  for (const [from, to] of rerolled) {
    let at = dice.findIndex((face, i) => face === from && !done.has(i));
    if (at < 0) at = dice.indexOf(from);
    if (at < 0) continue;
    dice[at] = to;
    done.add(at);
  }
  return dice;
}
