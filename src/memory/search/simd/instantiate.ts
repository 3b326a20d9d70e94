import { WASM_MODULES } from "./wasm-modules.ts";

export const VECTOR_BYTES = 16;
const PAGE_BYTES = 65_536;

/** The part of WebAssembly used here, which Node's types omit. Missing with `--jitless`. */
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

/** Compares the values in a non-empty byte address range with the query and writes the results. */
export type Compare = (
  stored: number,
  end: number,
  requested: number,
  out: number,
  bytes: number,
) => void;

export interface WasmInstance {
  readonly memory: ArrayBuffer;
  readonly compare: Compare;
}

/** Instantiates a module with at least this much memory; undefined without vector instructions. */
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
