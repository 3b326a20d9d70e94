import { readFile } from "node:fs/promises";

/**
 * Returns true if the ONNX runtime adds products of int8 weights with saturation, which moves
 * vectors to a cosine of 0.98. It does on x64 processors without VNNI. Its kernel for uint8 weights
 * is exact and takes 10 to 20 % longer there, so an unknown processor counts as one without VNNI.
 */
export async function saturatesInt8Products(): Promise<boolean> {
  if (process.arch !== "x64") return false;
  // Only Linux has this file.
  const processors = await readFile("/proc/cpuinfo", "latin1").catch(() => "");
  return !/^flags\b.*\bavx(?:512)?_vnni\b/m.test(processors);
}

/** Field numbers of onnx.proto. */
const GRAPH = 7;
const INITIALIZER = 5;
const DATA_TYPE = 2;
const RAW_DATA = 9;

const INT8 = 3;
const UINT8 = 2;
/** Flipping it adds 128 to an int8 value, as uint8. */
const SIGN_BIT = 0x80;

/** Changes int8 weights and zero points of an ONNX model in place to equal uint8 ones. */
export function makeWeightsUnsigned(model: Uint8Array): void {
  for (const graph of readFields(model, { start: 0, end: model.length })) {
    if (graph.number !== GRAPH) continue;
    for (const field of readFields(model, graph)) {
      if (field.number === INITIALIZER) makeTensorUnsigned(model, field);
    }
  }
}

function makeTensorUnsigned(model: Uint8Array, tensor: Range): void {
  const fields = [...readFields(model, tensor)];
  const type = fields.find(({ number }) => number === DATA_TYPE);
  const data = fields.find(({ number }) => number === RAW_DATA);
  if (type === undefined || model[type.start] !== INT8) return;
  if (data === undefined) throw new Error("an int8 tensor has no raw data");
  model[type.start] = UINT8;
  for (let at = data.start; at < data.end; at += 1) model[at] = (model[at] as number) ^ SIGN_BIT;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Field extends Range {
  readonly number: number;
}

const TRUNCATED = "the model file is truncated";

/** Sizes of the fixed wire types of Protocol Buffers. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** Reads the fields of a Protocol Buffers message; `start` is that of the value. */
function* readFields(bytes: Uint8Array, { start, end }: Range): Generator<Field> {
  let at = start;
  const readVarint = () => {
    let value = 0;
    for (let factor = 1; at < end; factor *= 128) {
      const byte = bytes[at] as number;
      at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new Error(TRUNCATED);
  };
  while (at < end) {
    const key = readVarint();
    const [number, type] = [key >>> 3, key & 7];
    const length = type === 2 ? readVarint() : FIXED_BYTES[type];
    const valueAt = at;
    if (type === 0) readVarint();
    else if (length === undefined) throw new Error(`the model file has the wire type ${type}`);
    else at += length;
    if (at > end) throw new Error(TRUNCATED);
    yield { number, start: valueAt, end: at };
  }
}
