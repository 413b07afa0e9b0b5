import { AskError, readAnswer, type Answer, type Asking, type Engine } from './engine';

/// Whether a salvo server answers where the page came from.
export async function serverIsThere(base: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('healthz', base), { signal: AbortSignal.timeout(2000), cache: 'no-store' });
    // A host of plain files may answer anything with a page of its own.
    return response.ok && !(response.headers.get('content-type') ?? '').includes('html');
  } catch {
    return false;
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
    return readAnswer(await response.text());
  }
}
