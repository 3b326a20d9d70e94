const HEAD_BYTES = 12;
const STAT_BYTES = 40;
const MODE_AT = 24;
const REPOSITORY = 0o160000;
const IS_EXTENDED = 0x4000;

/**
 * Paths of the repositories that an index of git names as entries, submodules: git looks into them
 * when it shows a state, by the config that lies there. Undefined: the index cannot be understood.
 */
export function linkedRepositories(
  index: Buffer,
  hashBytes: 20 | 32 = 20,
): readonly string[] | undefined {
  if (index.length < HEAD_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const found: string[] = [];
  let at = HEAD_BYTES;
  let before = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry += 1) {
    const flagsAt = at + STAT_BYTES + hashBytes;
    if (flagsAt + 2 > index.length) return undefined;
    let nameAt = flagsAt + ((index.readUInt16BE(flagsAt) & IS_EXTENDED) === 0 ? 2 : 4);
    let kept = Buffer.alloc(0);
    if (version === 4) {
      const cut = numberAt(index, nameAt);
      nameAt = cut.end;
      kept = before.subarray(0, before.length - cut.value);
    }
    const end = index.indexOf(0, nameAt);
    if (end === -1) return undefined;
    const name = Buffer.concat([kept, index.subarray(nameAt, end)]);
    if (index.readUInt32BE(at + MODE_AT) === REPOSITORY) found.push(name.toString());
    // Filled up with zeros, one at least, to a multiple of eight.
    at = version === 4 ? end + 1 : at + 8 * (Math.floor((end - at) / 8) + 1);
    before = name;
  }
  // Entries that lie in another file.
  return index.subarray(at).includes("link\0") ? undefined : found;
}

/** Seven bits a byte, the highest first, each further byte counting one more. */
function numberAt(index: Buffer, start: number): { value: number; end: number } {
  let at = start;
  let value = (index[at] ?? 0) & 0x7f;
  while (((index[at] ?? 0) & 0x80) !== 0) {
    at += 1;
    value = (value + 1) * 128 + ((index[at] ?? 0) & 0x7f);
  }
  return { value, end: at + 1 };
}
