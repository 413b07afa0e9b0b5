/// The one way in which the page asks: a verb and a body, as docs/format.md (Requests) has them. Where the answer comes from (a server of
/// the same origin, or WebAssembly in a worker) is nobody else's business.

export interface Asking {
  signal?: AbortSignal;
  /// From 0 to 1, where the engine knows.
  onProgress?: (part: number) => void;
}

export interface Answer {
  /// The bytes that `salvo` prints.
  text: string;
  data: unknown;
  /// Who gave it.
  from: Engine['kind'];
}

export interface Engine {
  readonly kind: 'server' | 'browser';
  ask(verb: string, body: object, asking?: Asking): Promise<Answer>;
}

/// What was wrong with a question: one sentence, and the place in it.
export class AskError extends Error {
  constructor(
    message: string,
    readonly place = '',
    /// As the exit status of the command: 2 the question, 3 too large, 4 a fault of ours.
    readonly status = 4,
  ) {
    super(message);
    this.name = 'AskError';
  }
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/// The answer of a text, or the error that it tells.
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
