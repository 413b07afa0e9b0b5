import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { words } from '../words/en';
import type { Choice } from './library';

interface Props {
  label: string;
  /// The text of the field while the user is not typing.
  value: string;
  placeholder?: string;
  search: (text: string) => Choice[];
  onPick: (choice: Choice) => void;
  onFocus?: () => void;
  /// Whether the field adds to a list: it is cleared after each choice.
  adds?: boolean;
  class?: string;
}

/// A text field with completion that follows the combobox pattern of the ARIA guide.
export function Combo({ label, value, placeholder, search, onPick, onFocus, adds, class: name }: Props) {
  const [text, setText] = useState<string | undefined>();
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const open = text !== undefined;
  const choices = open ? search(text) : [];
  const chosen = Math.min(at, choices.length - 1);

  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen, open]);

  const close = (): void => setText(undefined);
  const pick = (choice: Choice): void => {
    onPick(choice);
    close();
    if (adds) input.current?.focus();
    else input.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) setText('');
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (choices.length > 0) setAt((chosen + step + choices.length) % choices.length);
    } else if ((event.key === 'Enter' || (event.key === 'Tab' && text)) && open && choices[chosen]) {
      // Tab accepts the completion too, since the user who moves on meant what was typed.
      if (event.key === 'Enter') event.preventDefault();
      pick(choices[chosen]);
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
        onClick={() => !open && (setText(''), setAt(0), input.current?.select())}
        onInput={(event) => {
          setText((event.target as HTMLInputElement).value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
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
      {open && text !== '' && choices.length === 0 && <p class="nothing" role="status">{words.nothingFound(text)}</p>}
    </div>
  );
}
