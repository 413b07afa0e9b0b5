import { useEffect, useRef, useState } from 'preact/hooks';
import { AskError, isAbort, type Answer, type Engine } from '../engine/engine';
import type { Request } from '../state/request';

export interface Asked {
  /// The newest answer that came; while `busy`, perhaps to the question before.
  answer?: Answer;
  /// The request that `answer` belongs to.
  request?: Request;
  /// How long it took, in milliseconds.
  took?: number;
  error?: AskError | undefined;
  /// From the drawing on in which the question is a new one.
  busy: boolean;
  /// It takes long enough to say so.
  slow: boolean;
  progress?: number;
  stopped: boolean;
  stop: () => void;
}

/// The answer to the newest request: an older one that is still under way is stopped, and never shown.
export function useAnswer(engine: Engine, request: Request | undefined, wait = 0): Asked {
  const key = request ? JSON.stringify(request) : '';
  /// `settled`: the question that has been answered, refused or stopped.
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
      // What was answered before belongs to another question.
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
