/// What the browser keeps for this page; nothing where it keeps nothing.
export function storage(): Storage | undefined {
  try {
    window.localStorage.getItem('');
    return window.localStorage;
  } catch {
    return undefined;
  }
}
