import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { words } from '../words/en';
import type { Choice } from './library';

interface Props {
  label: string;
  /// The text of the field while the user is not typing.
  value: string;
  placeholder?: string;
  search: (text: string) => Choice[];
  /// Whether the first choice for a text may still change. Enter then waits for it.
  waiting?: (text: string) => boolean;
  onPick: (choice: Choice) => void;
  onFocus?: () => void;
  /// Whether the field adds to a list: it is cleared after each choice.
  adds?: boolean;
  class?: string;
}

/// A text field with completion that follows the combobox pattern of the ARIA guide.
export function Combo({ label, value, placeholder, search, waiting, onPick, onFocus, adds, class: name }: Props) {
  const [text, setText] = useState<string | undefined>();
  /// The key of the choice that the arrow keys have reached. Without one it is the first.
  const [at, setAt] = useState<string | undefined>();
  /// Whether Enter or Tab was pressed before the first choice was certain.
  const entered = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const open = text !== undefined;
  const choices = open ? search(text) : [];
  const chosen = Math.min(Math.max(0, choices.findIndex(({ key }) => key === at)), choices.length - 1);
  const uncertain = open && at === undefined && (waiting?.(text) ?? false);

  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen, open]);

  const close = (): void => {
    setText(undefined);
    entered.current = false;
  };
  const pick = (choice: Choice): void => {
    const left = document.activeElement !== input.current;
    onPick(choice);
    close();
    if (adds && !left) input.current?.focus();
    else input.current?.blur();
  };
  useEffect(() => {
    if (!entered.current || uncertain) return;
    if (choices[chosen]) pick(choices[chosen]);
    entered.current = false;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) setText('');
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (choices.length > 0) setAt(choices[(chosen + step + choices.length) % choices.length]!.key);
    } else if ((event.key === 'Enter' || (event.key === 'Tab' && text)) && open) {
      // Tab accepts the completion too, since the user who moves on meant what was typed.
      if (event.key === 'Enter' && (uncertain || choices[chosen])) event.preventDefault();
      if (uncertain) entered.current = true;
      else if (choices[chosen]) pick(choices[chosen]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <div class={`combo ${name ?? ''}`}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={open && choices.length > 0}
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        aria-activedescendant={open && choices[chosen] ? `${id}-${chosen}` : undefined}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={80}
        placeholder={placeholder}
        value={text ?? value}
        onFocus={(event) => {
          onFocus?.();
          (event.target as HTMLInputElement).select();
        }}
        onClick={() => !open && (setText(''), setAt(undefined), input.current?.select())}
        onInput={(event) => {
          setText((event.target as HTMLInputElement).value);
          setAt(undefined);
          entered.current = false;
        }}
        onKeyDown={onKeyDown}
        onBlur={() => !entered.current && close()}
      />
      <ul id={`${id}list`} ref={list} role="listbox" aria-label={label} hidden={!open || choices.length === 0}>
        {choices.map((choice, i) => (
          <li
            key={choice.key}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(choice)}
          >
            <span>{choice.label}</span> <small>{choice.detail}</small>
          </li>
        ))}
      </ul>
      {open && text !== '' && choices.length === 0 && !uncertain && <p class="nothing" role="status">{words.nothingFound(text)}</p>}
    </div>
  );
}
