import { useEffect, useRef, useState } from 'preact/hooks';
import { AskError, isAbort, type Answer, type Engine } from '../engine/engine';
import type { Request } from '../state/request';

export interface Asked {
  /// The newest answer. While `busy` it may belong to the previous question.
  answer?: Answer;
  /// The request that `answer` belongs to.
  request?: Request;
  /// How long the answer took, in milliseconds.
  took?: number;
  error?: AskError | undefined;
  /// True from the first render with a new question until it is settled.
  busy: boolean;
  /// True when the answer takes long enough to show progress.
  slow: boolean;
  progress?: number;
  stopped: boolean;
  stop: () => void;
}

/// Returns the answer to the newest request. An older request that is still running is cancelled, and its answer is never shown.
export function useAnswer(engine: Engine, request: Request | undefined, wait = 0): Asked {
  const key = request ? JSON.stringify(request) : '';
  /// `settled`: the key of the question that has been answered, rejected or stopped.
  const [state, setState] = useState<Omit<Asked, 'stop' | 'busy'> & { settled: string }>({ settled: '', slow: false, stopped: false });
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (!request) {
      setState({ settled: key, slow: false, stopped: false });
      return;
    }
    const controller = new AbortController();
    let begin = performance.now();
    const slow = setTimeout(() => setState((old) => ({ ...old, slow: true, error: undefined })), wait + 250);
    const settle = (next: Partial<Asked>): void => {
      clearTimeout(slow);
      // Replace the whole state: the previous answer belongs to another question.
      setState({ settled: key, slow: false, stopped: false, ...next });
    };
    stop.current = () => {
      controller.abort();
      settle({ stopped: true });
    };
    setState((old) => ({ ...old, settled: '', stopped: false }));
    const ask = (): void => {
      begin = performance.now();
      engine
        .ask(request.verb, request.body, {
          signal: controller.signal,
          onProgress: (progress) => !controller.signal.aborted && setState((old) => ({ ...old, progress })),
        })
        .then((answer) => {
          if (!controller.signal.aborted) settle({ answer, request, took: performance.now() - begin });
        })
        .catch((error: unknown) => {
          if (controller.signal.aborted || isAbort(error)) return;
          settle({ error: error instanceof AskError ? error : new AskError(String(error)) });
        });
    };
    const start = wait > 0 ? setTimeout(ask, wait) : undefined;
    if (wait === 0) ask();
    return () => {
      clearTimeout(start);
      clearTimeout(slow);
      controller.abort();
    };
  }, [key, engine]);
  const { settled, ...rest } = state;
  return { ...rest, busy: settled !== key, stop: () => stop.current() };
}
