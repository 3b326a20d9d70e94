import { WASM_MODULES } from "./wasm-modules.ts";

/** Bytes that one instruction takes at once. */
export const VECTOR_BYTES = 16;
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

/**
 * Compares what lies between two addresses, of so many bytes each, with what is asked for, and
 * writes what comes out. Addresses are in bytes; at least one must lie there.
 */
export type Compare = (
  stored: number,
  end: number,
  asked: number,
  out: number,
  bytes: number,
) => void;

export interface WasmInstance {
  readonly memory: ArrayBuffer;
  readonly compare: Compare;
}

/**
 * An instance of a module with a memory of at least so many bytes. Undefined where the processor, or
 * Node.js as it was started, has no vector instructions.
 */
export function instantiate(
  name: keyof typeof WASM_MODULES,
  bytes: number,
): WasmInstance | undefined {
  const module = Uint8Array.from(Buffer.from(WASM_MODULES[name], "base64"));
  if (typeof WebAssembly === "undefined" || !WebAssembly.validate(module)) return undefined;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const {
    exports: { compare },
  } = new WebAssembly.Instance(new WebAssembly.Module(module), {
    host: { memory },
  });
  return { memory: memory.buffer, compare };
}
