/// Views whose code is fetched when they are first shown, so that the first visit carries none of it.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../words/en';

/// A view that `load` fetches. `load` resolves to the module whose `View` it is.
export function later<Props extends object>(load: () => Promise<{ View: ComponentType<Props> }>): ComponentType<Props> {
  let View: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [failed, setFailed] = useState(false);
    const [, draw] = useState(0);
    const fetchView = (): void => {
      setFailed(false);
      load().then(
        (module) => ((View = module.View), draw(1)),
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (!View) fetchView();
    }, []);
    if (View) return <View {...props} />;
    return (
      <main aria-busy={!failed}>
        <p class="sentence" role="status">
          {failed ? words.viewNotFetched : '…'} {failed && <button type="button" onClick={fetchView}>{words.again_}</button>}
        </p>
      </main>
    );
  };
}
