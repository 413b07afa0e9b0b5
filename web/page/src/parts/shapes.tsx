/// Simple shapes for tokens. They are always labelled, visibly or for screen readers.

const tokens: Record<string, string> = {
  focus: 'M8 3A5 5 0 1 1 8 13 5 5 0 1 1 8 3ZM8 5.2A2.8 2.8 0 1 0 8 10.8 2.8 2.8 0 1 0 8 5.2Z',
  lock: 'M2 2H6V3.6H3.6V6H2ZM14 2V6H12.4V3.6H10V2ZM2 14V10H3.6V12.4H6V14ZM14 14H10V12.4H12.4V10H14ZM8 6.4 9.6 8 8 9.6 6.4 8Z',
  calculate: 'M3 3H13V13H3ZM5 5V7H7V5ZM9 5V7H11V5ZM5 9V11H7V9ZM9 9V11H11V9Z',
  evade: 'M2 12C2 6 7 3 14 4L11.5 6.6C8 6 5.4 8 5.4 12Z',
  force: 'M8 1.5 9.4 6.6 14.5 8 9.4 9.4 8 14.5 6.6 9.4 1.5 8 6.6 6.6Z',
  reinforce: 'M3 3H13V8C13 11 10.5 13 8 14 5.5 13 3 11 3 8Z',
};

export function TokenShape({ kind }: { kind: string }) {
  return (
    <svg class="shape" viewBox="0 0 16 16" aria-hidden="true">
      <path fill-rule="evenodd" d={tokens[kind] ?? 'M8 3A5 5 0 1 1 8 13 5 5 0 1 1 8 3Z'} />
    </svg>
  );
}
