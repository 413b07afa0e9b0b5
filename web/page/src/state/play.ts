/// Returns the dice after rerolls. Each pair [old face, new face] changes one die that shows the old face, preferably one not yet
/// rerolled.
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
