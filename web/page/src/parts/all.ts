import { useEffect, useState } from 'preact/hooks';
import { AskError, isAbort, type Answer, type Engine } from '../engine/engine';
import type { Request } from '../state/request';

/// Asks several requests as one: returns all answers or the first error.
export function useAll(engine: Engine, requests: Request[]): { answers?: Answer[]; error?: AskError; busy: boolean; progress: number } {
  const key = requests.length > 0 ? JSON.stringify(requests) : '';
  /// `settled`: the key of the requests that have been answered or rejected.
  const [state, setState] = useState<{ answers?: Answer[]; error?: AskError; settled: string; progress: number }>({ settled: '', progress: 0 });
  useEffect(() => {
    if (requests.length === 0) return setState({ settled: key, progress: 0 });
    const controller = new AbortController();
    setState((old) => ({ ...old, settled: '', progress: 0 }));
    let done = 0;
    Promise.all(
      requests.map(async (request) => {
        const answer = await engine.ask(request.verb, request.body, { signal: controller.signal });
        if (!controller.signal.aborted) setState((old) => ({ ...old, progress: ++done / requests.length }));
        return answer;
      }),
    ).then(
      (answers) => !controller.signal.aborted && setState({ answers, settled: key, progress: 1 }),
      (error: unknown) => {
        if (controller.signal.aborted || isAbort(error)) return;
        setState({ error: error instanceof AskError ? error : new AskError(String(error)), settled: key, progress: 0 });
      },
    );
    return () => controller.abort();
  }, [key, engine]);
  const { settled, ...rest } = state;
  return { ...rest, busy: settled !== key };
}
