/// What the browser keeps for this page; nothing where it keeps nothing.
export function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
