import { useEffect, useState } from 'preact/hooks';
import { AskError, isAbort, type Answer, type Engine } from '../engine/engine';
import type { Request } from '../state/request';

/// Answers to several requests that belong together: all of them, or the first error.
export function useAll(engine: Engine, requests: Request[]): { answers?: Answer[]; error?: AskError; busy: boolean; progress: number } {
  const [state, setState] = useState<{ answers?: Answer[]; error?: AskError; busy: boolean; progress: number }>({ busy: false, progress: 0 });
  const key = JSON.stringify(requests);
  useEffect(() => {
    if (requests.length === 0) return setState({ busy: false, progress: 0 });
    const controller = new AbortController();
    setState((old) => ({ ...old, busy: true, progress: 0 }));
    let done = 0;
    Promise.all(
      requests.map(async (request) => {
        const answer = await engine.ask(request.verb, request.body, { signal: controller.signal });
        if (!controller.signal.aborted) setState((old) => ({ ...old, progress: ++done / requests.length }));
        return answer;
      }),
    ).then(
      (answers) => !controller.signal.aborted && setState({ answers, busy: false, progress: 1 }),
      (error: unknown) => {
        if (controller.signal.aborted || isAbort(error)) return;
        setState({ error: error instanceof AskError ? error : new AskError(String(error)), busy: false, progress: 0 });
      },
    );
    return () => controller.abort();
  }, [key, engine]);
  return state;
}
