import { WORTH_REMEMBERING } from "../../memory/index.ts";
import { learnByRules, mayHaveSettled } from "../learning/index.ts";
import { learningPassages } from "./find-candidates.ts";
import { BEGINNING, readFromMark } from "./read-transcript.ts";
import type { SessionReading } from "./session-reading.ts";
import type { TranscriptEntry } from "./tool-calls.ts";

const KEEPS = /(?:^|[^a-z])(?:remember|apply|propose|supersede)$/;
export interface EndedTurn {
  readonly transcriptPath: string;
  readonly before: SessionReading | undefined;
}

/**
 * Returns a request to the agent to remember what the user may have settled in this turn; undefined
 * if nothing was settled or it is already stored. Changes nothing.
 */
export async function askToKeep({
  transcriptPath,
  before,
}: EndedTurn): Promise<string | undefined> {
  const { records } = await readFromMark(transcriptPath, before?.mark ?? BEGINNING);
  const entries = records.flatMap((record) => [...record.entries]);
  const passages = learningPassages(entries);
  if (entries.some(keeps) || !mayHaveSettled(passages)) return undefined;
  if (learnByRules(passages).some(({ onlyReplaces }) => onlyReplaces !== true)) return undefined;
  return [
    "This turn may have settled something that long-term memory does not contain.",
    WORTH_REMEMBERING,
    "If something of this turn deserves it, call `remember` now. Otherwise end your turn without a comment and do not ask the user about it.",
  ].join("\n");
}

const keeps = (entry: TranscriptEntry): boolean => entry.kind === "call" && KEEPS.test(entry.tool);
