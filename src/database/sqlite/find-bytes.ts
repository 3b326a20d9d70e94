import { createReadStream, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TextOccurrence } from "../database.ts";

/**
 * Searches database, log and drafts for a text: plain, lower case and JSON-escaped. At most 20
 * hits.
 */
export async function findBytes(path: string, text: string): Promise<TextOccurrence[]> {
  const needles = encodeForms([text]);
  const name = basename(path);
  const files = readdirSync(dirname(path))
    .filter(
      (file) =>
        file === name || (file.startsWith(`${name}`) && /^[.-]/.test(file.slice(name.length))),
    )
    .sort();
  const found: TextOccurrence[] = [];
  for (const file of files) {
    for (const offset of await findOffsets(join(dirname(path), file), needles)) {
      found.push({ file, offset });
    }
  }
  return found.slice(0, 20);
}

/** Returns the offsets of these texts in a file, in the same encodings. */
export function findInFile(path: string, texts: readonly string[]): Promise<number[]> {
  return findOffsets(path, encodeForms(texts));
}

function encodeForms(texts: readonly string[]): Buffer[] {
  const forms = texts.flatMap((text) => [
    text,
    text.toLowerCase(),
    JSON.stringify(text).slice(1, -1),
  ]);
  return [...new Set(forms)].map((form) => Buffer.from(form, "utf8"));
}

async function findOffsets(path: string, needles: readonly Buffer[]): Promise<number[]> {
  const overlap = Math.max(...needles.map(({ length }) => length)) - 1;
  const offsets = new Set<number>();
  let rest: Buffer = Buffer.alloc(0);
  let start = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const block = Buffer.concat([rest, chunk as Buffer]);
    for (const needle of needles) {
      for (let at = block.indexOf(needle); at >= 0; at = block.indexOf(needle, at + 1)) {
        offsets.add(start + at);
      }
    }
    rest = overlap === 0 ? Buffer.alloc(0) : Buffer.from(block.subarray(-overlap));
    start += block.length - rest.length;
  }
  return [...offsets].sort((a, b) => a - b);
}
