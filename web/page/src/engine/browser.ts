import { createEngine, SalvoError, type Body, type Engine as WasmEngine, type Verb } from 'salvo-engine';
import { AskError, readAnswer, type Answer, type Asking, type Engine } from './engine';

declare global {
  var salvoWorker: Worker | undefined;
}

/// The engine in WebAssembly: the project's npm package, which runs it in a worker.
export class Browser implements Engine {
  readonly kind = 'browser';
  // The document starts the worker before it fetches any script (vite.config.ts); not in development.
  private readonly engine: WasmEngine = createEngine({ worker: globalThis.salvoWorker });

  close(): void {
    this.engine.close();
  }

  async ask(verb: string, body: object, { signal, onProgress, beside }: Asking = {}): Promise<Answer> {
    try {
      const text = await this.engine.askText(verb as Verb, body as Body<Verb>, {
        ...(signal ? { signal } : {}),
        ...(beside ? { beside } : {}),
        ...(onProgress ? { onProgress: (done: number, planned: number) => onProgress(planned > 0 ? done / planned : 0) } : {}),
      });
      return readAnswer(text, this.kind);
    } catch (error) {
      if (error instanceof SalvoError) throw new AskError(error.message, error.place, error.status);
      throw error;
    }
  }
}
