export function View() {
  return <main aria-busy="false" />;
}
