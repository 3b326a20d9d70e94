import { quoteForModel } from "../../memory/index.ts";
import { lookThrough } from "./find-candidates.ts";
import { BEGINNING, readFromMark } from "./read-from-mark.ts";
import { NOTHING_SO_FAR, type SessionReading } from "./session-reading.ts";
import type { TranscriptEntry } from "./transcript.ts";

/** Names of memory tools that keep something, with any prefix that a client adds. */
const KEEPS = /(?:^|[^a-z])(?:remember|apply|propose|supersede)$/;
/** A longer list would be a form to fill in. */
const MOST_NAMED = 3;

export interface EndedTurn {
  /** Absolute folder in which the session works. */
  readonly cwd: string;
  readonly transcriptPath: string;
  /** How far the session had been looked through before the turn. */
  readonly before: SessionReading | undefined;
}

/**
 * A question to the working agent at the end of a turn in which it settled something, nobody agreed
 * explicitly, and nothing was kept; undefined for all other turns. Changes nothing.
 */
export async function askToKeep({
  cwd,
  transcriptPath,
  before,
}: EndedTurn): Promise<string | undefined> {
  const { records, from } = await readFromMark(transcriptPath, before?.mark ?? BEGINNING);
  const entries = records.flatMap((record) => [...record.entries]);
  if (entries.some(keeps)) return undefined;
  const soFar = from.offset === 0 ? NOTHING_SO_FAR : (before?.soFar ?? NOTHING_SO_FAR);
  const { candidates } = await lookThrough(entries, { place: { cwd }, soFar });
  const stated = candidates.filter(({ quotation }) => quotation !== undefined);
  const isKept = stated.some(({ doubt }) => doubt === undefined);
  if (stated.length === 0 || isKept) return undefined;
  const settled = stated.slice(-MOST_NAMED).map(({ content }) => `- ${quoteForModel(content)}`);
  return [
    "This turn seems to have settled something that cairn's memory does not hold:",
    ...settled,
    "If a later session needs it, keep it now with the `remember` tool, in a sentence that stands alone, as a decision, preference or fact. Otherwise end your turn; do not ask the person about it.",
  ].join("\n");
}

const keeps = (entry: TranscriptEntry): boolean => entry.kind === "call" && KEEPS.test(entry.tool);
