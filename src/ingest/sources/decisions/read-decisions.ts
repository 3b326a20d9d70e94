import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pathsIn } from "../../learning/index.ts";
import type { ReadPassage, SourceBatch } from "../source-batch.ts";
import { partsOf } from "../transcripts/passages-of-records.ts";
import { decisionFiles } from "./decision-files.ts";
import { sectionsOf } from "./sections.ts";

export const DECISIONS = "decisions";

/** Only the beginning of a longer file is read, in bytes: a changelog has its newest entries there. */
const MOST_BYTES = 512 * 1024;
const MOST_SECTIONS = 1_000;

export interface DecisionsPlace {
  /** Absolute. */
  readonly folder: string;
  /** The project's name, independent of where it is stored. */
  readonly project: string;
}

/** A source whose files were read before. */
export interface KnownFile {
  readonly key: string;
  readonly mark: string | null;
  readonly passages: number;
}

/**
 * Yields decision files that changed since they were read, each complete, and deleted ones as files without
 * content.
 */
export async function* readDecisions(
  { folder, project }: DecisionsPlace,
  known: readonly KnownFile[],
): AsyncGenerator<SourceBatch> {
  const marks = new Map(known.map((file) => [file.key, file]));
  const seen = new Set<string>();
  for (const path of await decisionFiles(folder)) {
    const key = `${project}:${path}`;
    const read = await readText(join(folder, path));
    if (read === undefined) continue;
    seen.add(key);
    const mark = hashOf(read.text);
    if (marks.get(key)?.mark === mark) continue;
    const passages = passagesOf(path, read);
    yield { kind: DECISIONS, key, title: path, place: folder, mark, passages, complete: true };
  }
  for (const { key, passages } of known) {
    if (!key.startsWith(`${project}:`) || seen.has(key) || passages === 0) continue;
    yield { kind: DECISIONS, key, mark: "gone", passages: [], complete: true };
  }
}

interface ReadText {
  readonly text: string;
  /** ISO time of the last change. */
  readonly changedAt: string;
}

/** Undefined if the file is not text. */
async function readText(path: string): Promise<ReadText | undefined> {
  const file = await open(path, "r");
  try {
    const { mtime, size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const text = bytes.subarray(0, bytesRead).toString("utf8");
    return text.includes("\0") ? undefined : { text, changedAt: mtime.toISOString() };
  } finally {
    await file.close();
  }
}

/** A section is identified by its content: a changed one is new, a moved one stays the same. */
function passagesOf(path: string, { text, changedAt }: ReadText): ReadPassage[] {
  const passages = new Map<string, ReadPassage>();
  for (const { headings, body, at } of sectionsOf(text)) {
    for (const part of partsOf(body)) {
      const said = [headings.join(" › "), part].filter((line) => line !== "").join("\n\n");
      passages.set(hashOf(said), {
        ...{ key: hashOf(said), role: "section", by: path.slice(0, 200), text: said },
        files: [...new Set([path, ...pathsIn(said)])],
        occurred_at: at ?? changedAt,
      });
    }
  }
  return [...passages.values()].slice(0, MOST_SECTIONS);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
