/// The browser's storage for this page, or undefined if the browser forbids it.
export function storage(): Storage | undefined {
  try {
    window.localStorage.getItem('');
    return window.localStorage;
  } catch {
    return undefined;
  }
}
