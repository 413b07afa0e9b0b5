/// The interface through which the page asks questions: a verb and a body as in docs/format.md (Requests). It hides whether a server of
/// the same origin answers or WebAssembly in a worker.

export interface Asking {
  signal?: AbortSignal;
  /// Receives the progress from 0 to 1, if the engine reports it.
  onProgress?: (part: number) => void;
  /// Whether other questions need not wait for this one, if there are cores to spare.
  beside?: boolean;
}

export interface Answer {
  /// The same bytes as `salvo` prints.
  text: string;
  data: unknown;
  /// The kind of engine that answered.
  from: Engine['kind'];
}

export interface Engine {
  readonly kind: 'server' | 'browser';
  ask(verb: string, body: object, asking?: Asking): Promise<Answer>;
}

/// An error in a question: one sentence, and the key that is wrong.
export class AskError extends Error {
  constructor(
    message: string,
    readonly place = '',
    /// Like the exit status of the command: 2 invalid question, 3 too large, 4 internal error.
    readonly status = 4,
  ) {
    super(message);
    this.name = 'AskError';
  }
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/// Parses an answer. Throws the error if the text reports one.
export function readAnswer(text: string, from: Engine['kind']): Answer {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new AskError('the engine gave no JSON');
  }
  const error = (data as { error?: { message?: unknown; place?: unknown; status?: unknown } } | null)?.error;
  if (error && typeof error === 'object') {
    throw new AskError(String(error.message ?? ''), String(error.place ?? ''), Number(error.status ?? 4));
  }
  return { text, data, from };
}
