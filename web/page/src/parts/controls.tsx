import type { ComponentChildren } from 'preact';
import { words } from '../words/en';
import { TokenShape } from './shapes';

/// A number between two buttons. The arrow keys work on both buttons.
export function Stepper({ label, value, least = 0, most = 99, unset, onChange, children }: {
  label: string;
  value: number | undefined;
  least?: number;
  most?: number;
  /// The text for an undefined number. If given, the number can be reset to undefined.
  unset?: string;
  onChange: (value: number | undefined) => void;
  children?: ComponentChildren;
}) {
  const step = (by: number): void => {
    if (value === undefined) return onChange(by > 0 ? Math.max(least, 1) : least);
    const next = value + by;
    if (next < least) return onChange(unset === undefined ? least : undefined);
    onChange(Math.min(most, next));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    step(event.key === 'ArrowUp' ? 1 : -1);
  };
  return (
    <div class={`stepper ${value ? 'on' : ''}`} role="group" aria-label={label} onKeyDown={onKeyDown}>
      <button type="button" aria-label={words.less(label)} disabled={value === undefined ? unset === undefined : value <= least && unset === undefined} onClick={() => step(-1)}>
        −
      </button>
      <span class="name">{children ?? label}</span>
      <output>{value ?? unset ?? '–'}</output>
      <button type="button" aria-label={words.more(label)} disabled={value !== undefined && value >= most} onClick={() => step(1)}>
        +
      </button>
    </div>
  );
}

/// The count of one kind of token. A tap adds one, the small button removes one.
export function TokenChip({ kind, count, percent, onChange }: { kind: string; count: number | undefined; percent?: number | undefined; onChange: (count: number | undefined) => void }) {
  const name = words.token(kind);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowUp') (event.preventDefault(), onChange(Math.min(99, (count ?? 0) + 1)));
    if (event.key === 'ArrowDown') (event.preventDefault(), onChange(count ? (count > 1 ? count - 1 : undefined) : undefined));
  };
  return (
    <span class={`token token-${kind} ${count ? 'on' : ''}`} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="give"
        aria-label={words.tokenButton(name, count ?? 0)}
        onClick={() => onChange(Math.min(99, (count ?? 0) + 1))}
      >
        <TokenShape kind={kind} />
        <span>{name}</span>
        {count ? <b>{percent === undefined || count > 1 ? ` ${count}` : ''}{percent === undefined ? '' : words.byChance([percent])}</b> : null}
      </button>
      {count ? (
        <button type="button" class="take" aria-label={words.tokenLess(name)} onClick={() => onChange(count > 1 ? count - 1 : undefined)}>
          −
        </button>
      ) : null}
    </span>
  );
}

export function Toggle({ on, onChange, children, label, class: name }: {
  on: boolean;
  onChange: (on: boolean) => void;
  children: ComponentChildren;
  label?: string;
  class?: string;
}) {
  return (
    <button type="button" class={`toggle ${on ? 'on' : ''} ${name ?? ''}`} aria-pressed={on} aria-label={label} onClick={() => onChange(!on)}>
      {children}
    </button>
  );
}

/// A choice of one among a few, as a row of buttons that supports the arrow keys.
export function Choose<T extends string | number>({ label, value, options, onChange, hideLabel }: {
  label: string;
  value: T;
  options: readonly { value: T; label: string; title?: string }[];
  onChange: (value: T) => void;
  hideLabel?: boolean;
}) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = options.findIndex((option) => option.value === value);
    const next = options[(at + step + options.length) % options.length]!;
    onChange(next.value);
    const group = event.currentTarget as HTMLElement;
    (group.querySelectorAll('button')[options.indexOf(next)] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class={`choose ${options.some((option) => option.label.length > 3) ? 'texts' : ''}`} role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {hideLabel ? null : <span class="name" aria-hidden="true">{label}</span>}
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          title={option.title}
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
