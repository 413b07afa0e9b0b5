/// A field for a squad: XWS, a list of ships or a builder's link, pasted, dropped or chosen as a file, or one ship in a
/// few words.
import { useEffect, useRef, useState } from 'preact/hooks';
import { longestSquad, objectOf, packSquad, unpackSquad } from '../state/pack';
import type { PackedSquad } from '../state/question';
import { viewWords } from '../words/views';
import './squadField.css';

/// Unpacks a squad that came with the address. Returns the error message, or an empty text.
function useUnpacked(squad: PackedSquad | undefined, onChange: (squad: PackedSquad | undefined) => void): string {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (!squad) return;
    if (squad.text !== '') return setProblem('');
    let mounted = true;
    unpackSquad(squad.packed).then(
      (next) => mounted && onChange(next),
      () => mounted && (setProblem(viewWords.squadDamaged), onChange(undefined)),
    );
    return () => {
      mounted = false;
    };
  }, [squad]);
  return problem;
}

/// The name and the number of ships of an XWS squad.
function nameOf(text: string): string | undefined {
  const xws = objectOf(text) as { name?: unknown; pilots?: unknown } | undefined;
  return xws && viewWords.squadNamed(typeof xws.name === 'string' ? xws.name.slice(0, 100) : '', Array.isArray(xws.pilots) ? xws.pilots.length : 0);
}

interface Props {
  label: string;
  squad: PackedSquad | undefined;
  onChange: (squad: PackedSquad | undefined) => void;
}

export function SquadField({ label, squad, onChange }: Props) {
  const unpacking = useUnpacked(squad, onChange);
  const [problem, setProblem] = useState('');
  const [over, setOver] = useState(false);
  const [reading, setReading] = useState(false);
  /// The text as typed. It is shown instead of the normalized squad while it still belongs to that squad.
  const [typed, setTyped] = useState<{ text: string; of: string | undefined } | undefined>(undefined);
  const newest = useRef<Promise<string> | undefined>(undefined);
  const settle = (trouble: string): void => {
    setReading(false);
    setProblem(trouble);
  };
  /// Reads a text asynchronously. A later call makes the result of an earlier one irrelevant.
  const read = (coming: Promise<string>): void => {
    newest.current = coming;
    setReading(true);
    const isNewest = (): boolean => newest.current === coming;
    coming
      .then((text) => (text.trim() === '' ? undefined : packSquad(text)))
      .then(
        (next) => {
          if (!isNewest()) return;
          settle('');
          setTyped((old) => old && { ...old, of: next?.text });
          onChange(next);
        },
        (error: unknown) => isNewest() && settle(error instanceof RangeError ? viewWords.squadTooLong(longestSquad) : viewWords.squadUnread),
      );
  };
  const readTyped = (text: string): void => {
    setTyped({ text, of: squad?.text });
    read(Promise.resolve(text));
  };
  const readFile = (file: File | null | undefined): void => {
    if (!file) return;
    setTyped(undefined);
    read(file.size > longestSquad ? Promise.reject(new RangeError()) : file.text());
  };
  const shown = squad?.text ?? '';
  const name = squad ? nameOf(squad.text) : undefined;
  return (
    <div
      class={`squadField ${over ? 'over' : ''}`}
      aria-busy={reading || (squad !== undefined && shown === '')}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file) readFile(file);
        else readTyped(event.dataTransfer?.getData('text') ?? '');
      }}
    >
      {name ? <p class="squadName"><b>{name}</b></p> : null}
      <label class={name ? 'hidden' : ''}>
        <span class="name">{label}</span>
        <textarea
          rows={3}
          tabIndex={name ? -1 : 0}
          spellcheck={false}
          placeholder={viewWords.squadPlaceholder}
          value={typed && (reading || typed.of === squad?.text) ? typed.text : shown}
          onInput={(event) => readTyped((event.target as HTMLTextAreaElement).value)}
        />
      </label>
      <p class="adders">
        <label class="button">
          {name ? viewWords.otherFile : viewWords.chooseFile}
          <input type="file" class="hidden" accept=".json,.xws,.txt,application/json" onClick={(event) => (event.currentTarget.value = '')} onChange={(event) => readFile((event.target as HTMLInputElement).files?.[0])} />
        </label>
        {squad && <button type="button" class="quiet" onClick={() => (setTyped(undefined), onChange(undefined))}>{viewWords.removeSquad}</button>}
      </p>
      {(problem || unpacking) && <p class="error" role="alert">{problem || unpacking}</p>}
    </div>
  );
}
