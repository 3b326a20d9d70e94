import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { tryReadRegularFile } from "../../../shared/regular-file.ts";
import { toWellFormedText } from "../../../shared/text.ts";
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
    const { passages, omitted } = passagesOf(path, read);
    const left = [
      ...(read.omittedBytes > 0 ? [`${read.omittedBytes} bytes at the end`] : []),
      ...(omitted > 0 ? [`${omitted} sections`] : []),
    ].join(" and ");
    yield {
      ...{ kind: DECISIONS, key, title: path, place: folder, mark, passages, complete: true },
      ...(left !== "" && { omitted: left }),
    };
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
  readonly omittedBytes: number;
}

/** Undefined if the file is not text. */
async function readText(path: string): Promise<ReadText | undefined> {
  const read = tryReadRegularFile(path, MOST_BYTES);
  if (read === undefined || read.text.includes("\0")) return undefined;
  const { mtime } = await stat(path);
  return {
    ...read,
    text: toWellFormedText(read.text),
    changedAt: mtime.toISOString(),
  };
}

/** A section is identified by its content: a changed one is new, a moved one stays the same. */
function passagesOf(path: string, { text, changedAt }: ReadText) {
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
  const all = [...passages.values()];
  return {
    passages: all.slice(0, MOST_SECTIONS),
    omitted: Math.max(0, all.length - MOST_SECTIONS),
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
