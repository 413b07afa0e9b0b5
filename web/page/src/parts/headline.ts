/// Publishes the height of the view's headline, below which the details begin. Returns the function that stops it.
export function publishHeadline(): (() => void) | undefined {
  const headline = document.querySelector<HTMLElement>('main .headline');
  if (!headline) return undefined;
  const observer = new ResizeObserver(() => document.documentElement.style.setProperty('--headline', `${headline.offsetHeight}px`));
  observer.observe(headline);
  return () => observer.disconnect();
}
