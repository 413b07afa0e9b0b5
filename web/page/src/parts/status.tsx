import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from '../words/en';
import type { AskError } from '../engine/engine';
import type { Rules } from '../state/question';
import { useLibrary } from './library';
import { sayWrong } from './sentence';
import type { Asked } from './use';

/// The error of a question, in players' words.
export function Wrong({ error, rules, nameOf }: { error: AskError; rules: Rules; nameOf?: (key: string) => string }) {
  const library = useLibrary();
  return (
    <p class="error">
      <b>{words.errorKind(error.status)}</b> {sayWrong(error, library, rules, nameOf)}
    </p>
  );
}

/// Shows whether the question is running or stopped, and its error, unless a headline shows that: then `rules` are left out.
export function Status({ asked, onRetry, rules }: { asked: Asked; onRetry?: () => void; rules?: Rules }) {
  return (
    <div class="status" role="status">
      {asked.busy && asked.slow && (
        <p class="working">
          {asked.progress === undefined ? <progress aria-label={words.working} /> : <progress value={asked.progress} aria-label={words.working} />}
          <span>{words.working}</span>
          <button type="button" onClick={asked.stop}>{words.stop}</button>
        </p>
      )}
      {asked.stopped && <p class="hint">{words.stopped} {onRetry && <button type="button" onClick={onRetry}>{words.again_}</button>}</p>}
      {rules && !asked.busy && asked.error && <Wrong error={asked.error} rules={rules} />}
    </div>
  );
}

/// A region that scrolls sideways, with a sign while there is more to the right.
export function Scroll({ label, class: name = '', children }: { label: string; class?: string; children: ComponentChildren }) {
  const region = useRef<HTMLDivElement>(null);
  const [beyond, setBeyond] = useState(false);
  const look = (): void => {
    const element = region.current;
    if (element) setBeyond(element.scrollLeft + element.clientWidth < element.scrollWidth - 2);
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    for (const part of [region.current!, ...region.current!.children]) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={region} class={`scroll ${name} ${beyond ? 'beyond' : ''}`} tabIndex={0} role="region" aria-label={label} onScroll={look}>
      {children}
    </div>
  );
}

/// An accessible table of figures. `stacked` puts names above their figures on narrow screens.
export function Numbers({ caption, head, rows, open, stacked }: {
  caption: string;
  head: string[];
  rows: ComponentChildren[][];
  open?: boolean;
  stacked?: boolean;
}) {
  // A column of words reads from the left, one of figures from the right.
  const align = head.map((_, j) => (rows.length > 0 && rows.every(({ [j]: cell }) => typeof cell === 'string' && /^\p{L}/u.test(cell)) ? 'words' : undefined));
  const table = (
    <Scroll label={caption}>
      <table class={stacked ? 'stacked' : undefined}>
        <caption>{caption}</caption>
        <thead>
          <tr>{head.map((cell, i) => <th key={i} scope="col" class={align[i]}>{cell}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>{row.map((cell, j) => (j === 0 ? <th key={j} scope="row">{cell}</th> : <td key={j} class={align[j]}>{cell}</td>))}</tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
  if (open) return table;
  return (
    <details class="numbers">
      <summary>{words.asTable(caption)}</summary>
      {table}
    </details>
  );
}
