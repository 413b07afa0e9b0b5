import { AskError, readAnswer, type Answer, type Asking, type Engine } from './engine';

/// How long a server may take to answer the health check. A host of plain files refuses it at once.
const timeoutMs = 10_000;

/// Whether the page comes from a salvo server.
export async function isServerAvailable(base: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('healthz', base), { signal: AbortSignal.timeout(timeoutMs), cache: 'no-store' });
    // Some hosts of plain files answer unknown addresses with an HTML page.
    return response.ok && !(response.headers.get('content-type') ?? '').includes('html');
  } catch {
    return false;
  }
}

/// Parses the error of a server: problem details (RFC 9457), or an error as the command prints it.
function problemOf(text: string, status: number): AskError {
  try {
    const problem = JSON.parse(text) as { detail?: string; title?: string; path?: string; error?: { message?: string; place?: string; status?: number } };
    if (problem.error) return new AskError(problem.error.message ?? '', problem.error.place ?? '', problem.error.status ?? 4);
    return new AskError(problem.detail ?? problem.title ?? '', problem.path ?? '', status === 422 || status === 503 ? 3 : status < 500 ? 2 : 4);
  } catch {
    return new AskError(`the server answers with status ${status}`);
  }
}

export class Server implements Engine {
  readonly kind = 'server';
  constructor(private readonly base: string) {}

  async ask(verb: string, body: object, { signal }: Asking = {}): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch(new URL(`v1/${verb}`, this.base), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if (signal?.aborted) throw new DOMException('stopped', 'AbortError');
      throw new AskError(error instanceof Error ? error.message : 'the server does not answer');
    }
    const text = await response.text();
    if (!response.ok) throw problemOf(text, response.status);
    return readAnswer(text, this.kind);
  }
}
