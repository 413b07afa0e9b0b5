/// Loads the fields for what lies on the table when they are first shown.
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../words/en';
import type { OnTableProps } from './onTable-further';

let loaded: FunctionComponent<OnTableProps> | undefined;

export function OnTable(props: OnTableProps) {
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded) return;
    setFailed(false);
    import('./onTable-further').then(
      (part) => {
        loaded = part.OnTableFields;
        setTries(-1);
      },
      () => setFailed(true),
    );
  }, [tries]);
  if (loaded) {
    const Fields = loaded;
    return <Fields {...props} />;
  }
  if (failed) return <button type="button" class="quiet" onClick={() => setTries(tries + 1)}>{words.again_}</button>;
  return <p class="hint">{words.working}…</p>;
}

/// The same, folded away until they are wanted.
export function FoldedOnTable(props: OnTableProps) {
  const [open, setOpen] = useState(false);
  return (
    <details class="more" open={open} onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{words.moreOptions}</summary>
      {open && <OnTable {...props} />}
    </details>
  );
}
