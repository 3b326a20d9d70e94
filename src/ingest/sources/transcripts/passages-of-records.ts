import { type TranscriptRecord, toolUses } from "../../capture/index.ts";
import { pathsIn } from "../../learning/index.ts";
import type { ReadPassage } from "../source-batch.ts";
import { summarizeTools } from "./tool-passages.ts";

/** Longer texts are split at paragraphs, so that each part can be found by its content. */
const LONGEST = 2000;

export interface SessionPlace {
  /** Absolute folder in which the session works. */
  readonly cwd: string;
  /** ISO time for records without one. */
  readonly now: string;
  /** How many records of the session were read before these. */
  readonly before: number;
}

/** Turns a session into passages: what was said turn by turn, and briefly what was done in between. */
export function passagesOfRecords(
  records: readonly TranscriptRecord[],
  place: SessionPlace,
): ReadPassage[] {
  const failed = new Set<string>();
  const passages: ReadPassage[] = [];
  let cwd = place.cwd;
  let lastAt: string | undefined;
  let doing: { readonly records: TranscriptRecord[]; readonly key: string } | undefined;
  const finishDoing = () => {
    if (doing === undefined) return;
    const uses = toolUses(doing.records.flatMap(({ entries }) => [...entries]));
    const summary = summarizeTools(uses, { cwd, failed });
    const branch = doing.records.at(-1)?.branch;
    if (summary !== undefined) {
      passages.push({
        key: `${doing.key}/tools`,
        role: "tool",
        by: "assistant",
        text: summary.text,
        files: [...summary.files],
        ...(branch !== undefined && { branch }),
        occurred_at: lastAt ?? place.now,
      });
    }
    doing = undefined;
  };
  for (const [index, record] of records.entries()) {
    cwd = record.cwd ?? cwd;
    lastAt = record.at ?? lastAt;
    const key = record.id ?? `n${place.before + index}`;
    for (const [part, entry] of record.entries.entries()) {
      if (entry.kind !== "said") {
        doing ??= { records: [], key };
        continue;
      }
      const { text } = entry;
      finishDoing();
      for (const [piece, said] of partsOf(text).entries()) {
        passages.push({
          key: [key, ...(part > 0 || piece > 0 ? [part] : []), ...(piece > 0 ? [piece] : [])].join(
            "/",
          ),
          role: "turn",
          by: entry.by,
          text: said,
          files: [...pathsIn(said)],
          ...(record.branch !== undefined && { branch: record.branch }),
          occurred_at: lastAt ?? place.now,
        });
      }
    }
    doing?.records.push({
      ...record,
      entries: record.entries.filter(({ kind }) => kind !== "said"),
    });
  }
  finishDoing();
  return passages;
}

/** Splits a text at its paragraphs into parts that are short enough if possible. */
export function partsOf(text: string): string[] {
  if (text.length <= LONGEST) return [text];
  const parts: string[] = [];
  let part = "";
  for (const paragraph of paragraphsOf(text)) {
    if (part !== "" && part.length + paragraph.length + 2 > LONGEST) {
      parts.push(part);
      part = "";
    }
    part = part === "" ? paragraph : `${part}\n\n${paragraph}`;
  }
  return part === "" ? parts : [...parts, part];
}

/** A block of code stays in one piece. */
function paragraphsOf(text: string): string[] {
  return text
    .split(/(```[\s\S]*?(?:```|$))/)
    .flatMap((piece) => (piece.startsWith("```") ? [piece] : piece.split(/\n{2,}/)))
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}
