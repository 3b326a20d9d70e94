const PAGE_BYTES = 65_536;

/** What is used here of a part of Node.js that its types leave out; `--jitless` does without. */
declare const WebAssembly:
  | {
      validate(module: Uint8Array<ArrayBuffer>): boolean;
      readonly Module: new (module: Uint8Array<ArrayBuffer>) => object;
      readonly Memory: new (pages: { initial: number }) => { readonly buffer: ArrayBuffer };
      readonly Instance: new (
        module: object,
        imports: { host: { memory: object } },
      ) => { readonly exports: { readonly compare: Compare } };
    }
  | undefined;

/** Compares what lies between two addresses with what is asked for, and writes what comes out. */
export type Compare = (stored: number, end: number, asked: number, out: number) => void;

export interface WasmInstance {
  readonly memory: ArrayBuffer;
  readonly compare: Compare;
}

/**
 * An instance of a module of `wasmModule` with a memory of at least so many bytes. Undefined where
 * the processor, or Node.js as it was started, has no vector instructions.
 */
export function instantiate(
  module: Uint8Array<ArrayBuffer>,
  bytes: number,
): WasmInstance | undefined {
  if (typeof WebAssembly === "undefined" || !WebAssembly.validate(module)) return undefined;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const {
    exports: { compare },
  } = new WebAssembly.Instance(new WebAssembly.Module(module), {
    host: { memory },
  });
  return { memory: memory.buffer, compare };
}
