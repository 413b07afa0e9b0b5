// Types of the module that Emscripten builds from web/engine.
export interface Instance {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  _malloc(size: number): number;
  _free(at: number): void;
  _salvo_version(): number;
  _salvo_open_pack(bytes: number, size: number, error: number): number;
  _salvo_add_pack(engine: number, bytes: number, size: number, error: number): number;
  _salvo_web_request(
    engine: number, verb: number, body: number, size: number, answer: number, answerSize: number,
  ): number;
}

export interface Hooks {
  heard?: (done: number, planned: number) => boolean | void;
  instantiateWasm(
    imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}

export default function create(hooks: Hooks): Promise<Instance>;
