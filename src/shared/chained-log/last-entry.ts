import { open, truncate } from "node:fs/promises";
import { CairnError } from "../errors.ts";
import type { ChainKind, ChainLink } from "./chain-link.ts";
import { type ChainPlace, earlierParts } from "./chain-place.ts";

/** Longer than any entry. */
const TAIL_BYTES = 256 * 1024;

export interface LastEntry {
  readonly entry: ChainLink | undefined;
  /** Bytes of the part that is written to. */
  readonly size: number;
  /** Bytes of a line that was left half by a write that was killed; they are gone now. */
  readonly cutOff: number;
}

/** The entry that the next one follows; a line that was left half is cut off, and told. */
export async function readLastEntry<Said extends object>(
  place: ChainPlace,
  kind: ChainKind<Said>,
): Promise<LastEntry> {
  const current = await lastOf(place.file, kind);
  if (current.entry !== undefined) return current;
  const before = (await earlierParts(place)).at(-1);
  const entry = before === undefined ? undefined : (await lastOf(before, kind)).entry;
  return { ...current, entry };
}

async function lastOf<Said extends object>(
  path: string,
  kind: ChainKind<Said>,
): Promise<LastEntry> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return { entry: undefined, size: 0, cutOff: 0 };
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const tail = buffer.subarray(0, bytesRead);
    const end = tail.lastIndexOf(0x0a);
    const cutOff = tail.length - (end + 1);
    if (cutOff > 0) await truncate(path, from + end + 1);
    if (end === -1) return { entry: undefined, size: from, cutOff };
    const line = tail.subarray(tail.lastIndexOf(0x0a, end - 1) + 1, end).toString("utf8");
    return { entry: parse(line, path, kind), size: from + end + 1, cutOff };
  } finally {
    await file.close();
  }
}

function parse<Said extends object>(
  line: string,
  path: string,
  { entry, command }: ChainKind<Said>,
): ChainLink {
  try {
    return entry.parse(JSON.parse(line));
  } catch {
    throw new CairnError(
      "unavailable",
      `The last line of ${path} is no entry. "${command} --check" tells more; move the file away to go on, and the next entry says that those before it are missing.`,
    );
  }
}
