/// Simple shapes for dice and tokens. They are always labelled, visibly or for screen readers.
import { words } from '../words/en';

const faces: Record<string, string> = {
  hit: 'M12 4 15 12 12 20 9 12Z M4 12 10 10.6 10 13.4Z M20 12 14 10.6 14 13.4Z',
  crit: 'M12 2.5 14.2 9.8 21.5 12 14.2 14.2 12 21.5 9.8 14.2 2.5 12 9.8 9.8Z M12 9.6A2.4 2.4 0 1 0 12 14.4 2.4 2.4 0 1 0 12 9.6Z',
  focus: 'M12 5A7 7 0 1 1 12 19 7 7 0 1 1 12 5ZM12 7.6A4.4 4.4 0 1 0 12 16.4 4.4 4.4 0 1 0 12 7.6ZM12 10.2A1.8 1.8 0 1 1 12 13.8 1.8 1.8 0 1 1 12 10.2Z',
  evade: 'M4 17C4 9 10 5 20 6L16.5 9.6C11 8.6 8 11 8 17Z',
  blank: '',
};

export function DieShape({ face, die }: { face: string; die: 'attack' | 'defense' }) {
  return (
    <svg class={`die die-${die} face-${face}`} viewBox="-4 -4 32 32" aria-hidden="true">
      <path class="body" d="M4-2H20L26 4V20L20 26H4L-2 20V4Z" />
      <path class="face" fill-rule="evenodd" d={faces[face] ?? ''} />
    </svg>
  );
}

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

/// A button that shows a face of a die.
export function FaceButton({ face, die, onClick, label, count }: { face: string; die: 'attack' | 'defense'; onClick: () => void; label?: string; count?: number }) {
  return (
    <button type="button" class={`faceButton face-${face}`} aria-label={label ?? words.addFace(face)} onClick={onClick}>
      <DieShape face={face} die={die} />
      <span>{words.face(face)}</span>
      {count ? <b>{count}</b> : null}
    </button>
  );
}
