/// Questions whose answers are refined step by step, and questions that are asked one after another in the background.
import { useEffect, useRef, useState } from 'preact/hooks';
import { AskError, isAbort, type Answer, type Engine } from '../../engine/engine';
import type { Request } from '../../state/request';

/// How long a question must stay unchanged before it is asked: a squad is typed key by key.
const REST_MS = 150;

const asError = (error: unknown): AskError => (error instanceof AskError ? error : new AskError(String(error)));

export interface Refined {
  /// The best answer so far. While `busy` it belongs to the previous question.
  answer?: Answer;
  /// The request that `answer` belongs to.
  request?: Request;
  /// Why the last request has no answer. There may be an answer to an earlier one.
  error?: AskError;
  /// Whether there is neither an answer to this question nor an error yet.
  busy: boolean;
  /// Whether a better answer is on its way.
  refining: boolean;
  /// The progress of the request, from 0 to 1, if the engine reports it.
  progress?: number;
}

interface State extends Omit<Refined, 'busy'> {
  key: string;
}

/// Asks requests of one question, each more precise than the previous one, and returns the newest answer. After an answer that `isLast`
/// accepts, only the last request follows. `paused` interrupts the refinement but not the first answer. Leaving the view stops it.
export function useRefined(engine: Engine, requests: Request[], { isLast = () => false, paused = false }: { isLast?: (answer: Answer) => boolean; paused?: boolean } = {}): Refined {
  const key = requests.length > 0 ? JSON.stringify(requests) : '';
  const [state, setState] = useState<State>({ key: '', refining: false });
  const at = useRef({ key: '', next: 0 });
  useEffect(() => {
    if (at.current.key !== key) at.current = { key, next: 0 };
    const place = at.current;
    const last = requests.length - 1;
    if (requests.length === 0) return setState({ key, refining: false });
    if (place.next > last || (paused && place.next > 0)) return;
    const controller = new AbortController();
    const { signal } = controller;
    const refine = async (): Promise<void> => {
      while (place.next <= last && !signal.aborted) {
        const request = requests[place.next]!;
        try {
          const onProgress = (progress: number): void => {
            if (!signal.aborted) setState((old) => (old.key === key ? { ...old, progress } : old));
          };
          const answer = await engine.ask(request.verb, request.body, { signal, onProgress });
          if (signal.aborted) return;
          place.next = isLast(answer) ? Math.max(place.next + 1, last) : place.next + 1;
          setState({ key, answer, request, refining: place.next <= last });
        } catch (error) {
          if (signal.aborted || isAbort(error)) return;
          // What cannot be sampled may still be solved.
          if (place.next < last) place.next = last;
          else {
            place.next = last + 1;
            setState((old) => ({ ...(old.key === key ? old : {}), key, refining: false, error: asError(error) }));
          }
        }
      }
    };
    const timer = setTimeout(() => void refine(), place.next === 0 ? REST_MS : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, engine, paused]);
  const { key: of, ...rest } = state;
  return { ...rest, busy: of !== key };
}

export interface Variant {
  key: string;
  /// Asked in turn until one has an answer.
  requests: Request[];
}

/// Asks variants of a question one after another while `on`. Those without an answer are missing.
export function useVariants(engine: Engine, variants: Variant[], on: boolean): { answers: ReadonlyMap<string, Answer>; done: boolean } {
  const key = JSON.stringify(variants);
  const [state, setState] = useState<{ key: string; answers: ReadonlyMap<string, Answer>; done: boolean }>({ key: '', answers: new Map(), done: false });
  const current = state.key === key;
  useEffect(() => {
    if (!on || (current && state.done)) return;
    const controller = new AbortController();
    const { signal } = controller;
    const answers = new Map(current ? state.answers : []);
    const askAll = async (): Promise<void> => {
      for (const variant of variants) {
        if (answers.has(variant.key)) continue;
        for (const { verb, body } of variant.requests) {
          const answer = await engine.ask(verb, body, { signal, beside: true }).catch(() => undefined);
          if (signal.aborted) return;
          if (!answer) continue;
          answers.set(variant.key, answer);
          setState({ key, answers: new Map(answers), done: false });
          break;
        }
      }
      setState({ key, answers, done: true });
    };
    void askAll();
    return () => controller.abort();
  }, [key, engine, on]);
  return current ? state : { answers: new Map(), done: false };
}
