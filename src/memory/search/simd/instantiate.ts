// Assembled from the .wat files beside it: npm run build, or npm run docs.

/** Modules of WebAssembly, in base64. */
const WASM_MODULES = {
  cosine:
    "AGFzbQEAAAABCQFgBX9/f39/AAIQAQRob3N0Bm1lbW9yeQIAAQMCAQAHCwEHY29tcGFyZQAACvwBAfkBAgJ/BHsDQP0MAAAAAAAAAAAAAAAAAAAAACEI/QwAAAAAAAAAAAAAAAAAAAAAIQn9DAAAAAAAAAAAAAAAAAAAAAAhCiACIQYgACAEaiEFA0AgAP0BAwAhByAIIAf9pwH9+gEgBv0ABAD95gH95AEhCCAJIAf9qAH9+gEgBv0ABBD95gH95AEhCSAKIAcgB/26Af2uASEKIAZBIGohBiAAQQhqIgAgBUkNAAsgCCAJ/eQBIQggAyAI/R8AIAj9HwGSIAj9HwKSIAj9HwOSIAr9GwAgCv0bAWogCv0bAmogCv0bA2qykZU4AgAgA0EEaiEDIAAgAUkNAAsL",
  hamming:
    "AGFzbQEAAAABCQFgBX9/f39/AAIQAQRob3N0Bm1lbW9yeQIAAQMCAQAHCwEHY29tcGFyZQAACooBAYcBAgJ/AXsDQP0MAAAAAAAAAAAAAAAAAAAAACEHIAIhBiAAIARqIQUDQCAHIAD9AAQAIAb9AAQA/VH9Yv19/Y4BIQcgBkEQaiEGIABBEGoiACAFSQ0ACyAH/X8hByADIAf9GwAgB/0bAWogB/0bAiAH/RsDamo7AQAgA0ECaiEDIAAgAUkNAAsL",
  product:
    "AGFzbQEAAAABCQFgBX9/f39/AAIQAQRob3N0Bm1lbW9yeQIAAQMCAQAHCwEHY29tcGFyZQAACvICAe8CAgJ/CHsDQP0MAAAAAAAAAAAAAAAAAAAAACEL/QwAAAAAAAAAAAAAAAAAAAAAIQz9DAAAAAAAAAAAAAAAAAAAAAAhDf0MAAAAAAAAAAAAAAAAAAAAACEOIAIhBiAAIARBBHRqIQUDQCAA/QAEACEHIAdBD/0P/U4hCCAG/QAEACAI/Q4hCSAG/QAEECAI/Q4hCiAHQQT9bSEIIAb9AAQgIAj9DiAJ/W4hCSAG/QAEMCAI/Q4gCv1uIQogCyAJ/YkB/Y4BIQsgDCAJ/YoB/Y4BIQwgDSAK/YkB/Y4BIQ0gDiAK/YoB/Y4BIQ4gBkHAAGohBiAAQRBqIgAgBUkNAAsgAyAN/akBQQf9qwEgC/2pAf2uAf0LBAAgAyAN/aoBQQf9qwEgC/2qAf2uAf0LBBAgAyAO/akBQQf9qwEgDP2pAf2uAf0LBCAgAyAO/aoBQQf9qwEgDP2qAf2uAf0LBDAgA0HAAGohAyAAIAFJDQALCw==",
} as const;

/** Bytes that one vector instruction processes. */
export const VECTOR_BYTES = 16;
const PAGE_BYTES = 65_536;

/**
 * The part of WebAssembly used here, which Node's types leave out. With `--jitless` Node.js has no
 * WebAssembly.
 */
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
 * Compares the values between two addresses, each of so many bytes, with the query and writes the results.
 * Addresses are in bytes; the range must hold at least one value.
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
 * Creates an instance of a module with at least so many bytes of memory. Undefined if the processor, or
 * Node.js as started, has no vector instructions.
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
