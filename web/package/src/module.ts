// The WebAssembly module and its C interface (include/salvo/salvo_c.h): one engine in one thread.
import createFirst, { type Instance } from "./salvo.js";

/** The data that a worker needs to open the module. */
export interface Parts {
  module: WebAssembly.Module;
  /** Whether it is the complete module, salvo-further.wasm. */
  complete: boolean;
  profiles: Uint8Array;
  /** The later parts of the profiles that have been fetched, in their order. */
  further?: readonly Uint8Array[];
}

/** The status of a question that needs the next part of the profiles: add it and ask again. */
export const NEEDS_FURTHER = 5;

/** The status of a question that needs the complete module. */
export const NEEDS_COMPLETE = 6;

export interface Reply {
  /** 0, or the status of the error. */
  status: number;
  /** The answer or the error, as JSON. */
  text: string;
}

/** Receives the progress of sampling. Returning false stops it. */
export type Heard = (done: number, planned: number) => boolean | void;

const POINTER = 4;

export class Module {
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();
  private heard?: Heard;

  private constructor(
    private readonly wasm: Instance,
    private engine: number,
    hooks: { heard?: Heard },
  ) {
    hooks.heard = (done, planned) => this.heard?.(done, planned);
  }

  /** Throws when the profiles are not a pack of this version. */
  static async open({ module, complete, profiles, further }: Parts): Promise<Module> {
    const hooks: { heard?: Heard } = {};
    const create = complete ? (await import("./salvo-further.js")).default : createFirst;
    const wasm = await create({
      heard: (done, planned) => hooks.heard?.(done, planned),
      instantiateWasm(imports, done) {
        void WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
        return {};
      },
    });
    const out = new Module(wasm, 0, hooks);
    out.withPack(profiles, (bytes, error) => {
      out.engine = wasm._salvo_open_pack(bytes, profiles.length, error);
      return out.engine !== 0;
    });
    for (const part of further ?? []) out.add(part);
    return out;
  }

  /** Adds the next part of the profiles. Throws when it is not a pack of this version. */
  add(further: Uint8Array): void {
    this.withPack(further, (bytes, error) => this.wasm._salvo_add_pack(this.engine, bytes, further.length, error) === 0);
  }

  private withPack(pack: Uint8Array, use: (bytes: number, error: number) => boolean): void {
    const bytes = this.put(pack), error = this.wasm._malloc(POINTER);
    const good = use(bytes, error);
    this.wasm._free(bytes);
    const message = good ? "" : this.take(this.word(error));
    this.wasm._free(error);
    if (!good) throw new Error(message);
  }

  version(): string {
    return this.text(this.wasm._salvo_version());
  }

  request(verb: string, body: string, heard?: Heard): Reply {
    const wasm = this.wasm;
    const bytes = this.encoder.encode(body);
    const name = this.put(this.encoder.encode(verb + "\0")), question = this.put(bytes);
    const answer = wasm._malloc(2 * POINTER);
    this.heard = heard;
    const status = wasm._salvo_web_request(this.engine, name, question, bytes.length, answer, answer + POINTER);
    this.heard = undefined;
    const at = this.word(answer), size = this.word(answer + POINTER);
    const text = this.decoder.decode(wasm.HEAPU8.subarray(at, at + size));
    for (const place of [at, answer, question, name]) wasm._free(place);
    return { status, text };
  }

  private put(bytes: Uint8Array): number {
    const at = this.wasm._malloc(Math.max(bytes.length, 1));
    if (at === 0) throw new RangeError("out of memory");
    this.wasm.HEAPU8.set(bytes, at);
    return at;
  }

  private word(at: number): number {
    return this.wasm.HEAPU32[at / POINTER]!;
  }

  private text(at: number): string {
    const bytes = this.wasm.HEAPU8;
    return this.decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  private take(at: number): string {
    const out = at === 0 ? "out of memory" : this.text(at);
    this.wasm._free(at);
    return out;
  }
}
