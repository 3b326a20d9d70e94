import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const HEADER_BYTES = 12;
const MODE_RANGE = { start: 24, end: 28 };
/** Size, then the object's id and the flags. */
const OBJECT_OFFSET = 40;
const EXTENDED_FLAG = 0x4000;

/** Hash of the staged entries without file times; of an unknown format, of the whole file. */
export function indexEntries(content: Buffer): string {
  return entriesHash(content, 20) ?? entriesHash(content, 32) ?? hash([content]);
}

function entriesHash(content: Buffer, idBytes: number): string | undefined {
  if (content.length < HEADER_BYTES || content.toString("latin1", 0, 4) !== "DIRC")
    return undefined;
  const version = content.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const parts: Buffer[] = [];
  let at = HEADER_BYTES;
  for (let left = content.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + OBJECT_OFFSET + idBytes;
    if (flagsAt + 2 > content.length) return undefined;
    const nameAt = flagsAt + ((content.readUInt16BE(flagsAt) & EXTENDED_FLAG) === 0 ? 2 : 4);
    const end = content.indexOf(0, nameAt);
    if (end <= nameAt) return undefined;
    parts.push(content.subarray(at + MODE_RANGE.start, at + MODE_RANGE.end));
    parts.push(content.subarray(at + OBJECT_OFFSET, end + 1));
    // Padded with one to eight zeros to a multiple of eight.
    at += (Math.floor((end - at) / 8) + 1) * 8;
  }
  return hash(parts);
}

function hash(parts: readonly Buffer[]): string {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest("hex");
}

const OWN_FILES = ["HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
const SHARED_FILES = ["packed-refs", "refs/stash", "refs/heads", "refs/tags"];

/** Hash of the state of a linked worktree's repository. Undefined for other projects. */
export function linkedGitMark(root: string): string | undefined {
  const named = /^gitdir: (.+?)\s*$/.exec(read(join(root, ".git"))?.toString() ?? "")?.[1];
  if (named === undefined) return undefined;
  const own = resolve(root, named);
  const common = resolve(own, read(join(own, "commondir"))?.toString().trim() ?? ".");
  const sum = createHash("sha256");
  for (const name of OWN_FILES) sum.update(`${name} ${read(join(own, name))?.toString()}\n`);
  const index = read(join(own, "index"));
  if (index !== undefined) sum.update(indexEntries(index));
  for (const name of SHARED_FILES) addAll(join(common, name), sum);
  return sum.digest("hex");
}

function addAll(path: string, sum: ReturnType<typeof createHash>): void {
  const names = namesIn(path);
  if (names === undefined) sum.update(`${path} ${read(path)?.toString()}\n`);
  else for (const name of names) addAll(join(path, name), sum);
}

function namesIn(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path).sort();
  } catch {
    return undefined;
  }
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
