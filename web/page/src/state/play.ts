/// Returns the dice after rerolls. Each pair [old face, new face] changes one die: the first that shows the old face and has not been
/// rerolled yet, or else the first that shows it.
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
