/// The dice after rerolls. Each pair of old and new face changes the first die that shows the old face, if possible one that has not
/// been rerolled yet.
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
