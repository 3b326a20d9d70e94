/**
 * A text that does not fit its model is split into windows of equal length, and their vectors are
 * averaged. Beyond this number, windows are sampled at equal distances, so that the vector
 * represents the whole text and a huge paste cannot stall an embedder. 64 windows of 254 tokens are
 * about 65 KB of English.
 */
export const MAX_WINDOWS = 64;

/** Returns start (inclusive) and end (exclusive) of each window, at least one. */
export function windowBounds(length: number, size: number): [start: number, end: number][] {
  const count = Math.max(1, Math.ceil(length / size));
  const step = length / count;
  const retained = Math.min(count, MAX_WINDOWS);
  return Array.from({ length: retained }, (_, i) => {
    const index = retained === 1 ? 0 : Math.round((i * (count - 1)) / (retained - 1));
    return [Math.round(index * step), Math.round((index + 1) * step)];
  });
}

/**
 * Windows of at most `maxBytes` of UTF-8, for models without an available tokenizer. Tokens of
 * common models cover at least three bytes of prose, in Latin and Chinese scripts alike.
 */
export function textWindows(text: string, maxBytes: number): string[] {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return [text];
  return windowBounds(bytes.length, maxBytes - MAX_TAIL_CHARACTERS).map(([start, end]) =>
    bytes.toString("utf8", characterStart(bytes, start), characterStart(bytes, end)),
  );
}

/** Bytes by which a window may grow to start at a character boundary. */
const MAX_TAIL_CHARACTERS = 3;

function characterStart(bytes: Buffer, index: number): number {
  let start = index;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
