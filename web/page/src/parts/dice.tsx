/// Dice and their faces, labelled for screen readers.
import { words } from '../words/en';
import './dice.css';

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
