/** What WebAssembly calls the instructions that are used here. */
export const OP = {
  loop: 0x03,
  branchIf: 0x0d,
  end: 0x0b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  storeFloat: 0x38,
  store16: 0x3b,
  constant: 0x41,
  lessThan: 0x49,
  add: 0x6a,
  rootOfFloat: 0x91,
  addFloats: 0x92,
  divideFloats: 0x95,
  toFloat: 0xb2,
  simd: 0xfd,
} as const;

/** Of the instructions that take 16 bytes at once. */
export const SIMD = {
  load: 0x00,
  loadBytesAs16: 0x01,
  store: 0x0b,
  constant: 0x0c,
  lookUpBytes: 0x0e,
  splatBytes: 0x0f,
  laneOf32: 0x1b,
  laneOfFloats: 0x1f,
  and: 0x4e,
  xor: 0x51,
  countBitsOfBytes: 0x62,
  shiftBytesRight: 0x6d,
  addBytes: 0x6e,
  pairsOfBytes: 0x7d,
  pairsOf16: 0x7f,
  lowerBytesAs16: 0x89,
  upperBytesAs16: 0x8a,
  add16: 0x8e,
  lowerAs32: 0xa7,
  upperAs32: 0xa8,
  lowerUnsignedAs32: 0xa9,
  upperUnsignedAs32: 0xaa,
  shift32Left: 0xab,
  add32: 0xae,
  pairsOfProducts: 0xba,
  addFloats: 0xe4,
  multiplyFloats: 0xe6,
  toFloats: 0xfa,
} as const;

/** Bytes that one instruction takes at once. */
export const VECTOR_BYTES = 16;
/** Of four numbers of 32 bits, which 16 bytes are. */
export const LANES = [0, 1, 2, 3] as const;

const TYPE = { i32: 0x7f, v128: 0x7b, function: 0x60, none: 0x40 } as const;
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const MEMORY = 2;
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** `compare(stored, end, asked, out)`, whose first local variables are its four addresses. */
export interface WasmFunction {
  /** Further local variables, those of addresses before those of 16 bytes. */
  readonly addresses?: number;
  readonly vectors: number;
  readonly body: readonly number[];
}

/** A module of WebAssembly with one function, as `Compare` has it, on a memory that it is given. */
export function wasmModule(one: WasmFunction): Uint8Array<ArrayBuffer> {
  const { i32, v128 } = TYPE;
  const { addresses = 0, vectors } = one;
  const locals = addresses === 0 ? [1, vectors, v128] : [2, addresses, i32, vectors, v128];
  const body = [...locals, ...one.body, OP.end];
  return Uint8Array.from([
    ...MAGIC,
    ...section(SECTION.type, [TYPE.function, 4, i32, i32, i32, i32, 0]),
    ...section(SECTION.import, [...name("host"), ...name("memory"), MEMORY, 0, 1]),
    ...section(SECTION.function, [0]),
    ...section(SECTION.export, [...name("compare"), 0, 0]),
    ...section(SECTION.code, [...number(body.length), ...body]),
  ]);
}

/** Goes round as long as the address in the first variable is below that in the second. */
export function loopWhileBelow(
  { at, end, step }: { at: number; end: number; step: number },
  body: readonly number[],
): number[] {
  return [
    ...[OP.loop, TYPE.none],
    ...body,
    ...[OP.localGet, at, OP.constant, ...signed(step), OP.add],
    ...[OP.localTee, at, OP.localGet, end, OP.lessThan, OP.branchIf, 0],
    OP.end,
  ];
}

/** The address in the variable, so many bytes on. */
export function moved(variable: number, bytes: number): number[] {
  return [OP.localGet, variable, OP.constant, ...signed(bytes), OP.add, OP.localSet, variable];
}

/** 16 bytes from so many behind the address on the stack. */
export function load(offset = 0): number[] {
  const alignment = 4;
  return [...simd(SIMD.load), alignment, ...number(offset)];
}

export function simd(operation: number): number[] {
  return [OP.simd, ...number(operation)];
}

/** A section that holds one item. */
function section(id: number, item: readonly number[]): number[] {
  return [id, ...number(item.length + 1), 1, ...item];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

/** LEB128, seven bits a byte, the lowest first. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}

/** The same of a number with a sign, which the highest bit of the last byte is. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
