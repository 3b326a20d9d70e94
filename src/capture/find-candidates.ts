import { shorten } from "../kernel/shorten.ts";
import { maskSecrets } from "../memory/index.ts";
import type { Candidate } from "./candidate.ts";
import { findCures } from "./find-cures.ts";
import { findStatements } from "./find-statements.ts";
import { sentencesOf } from "./sentences.ts";
import { editedFiles, toolUses } from "./tool-calls.ts";
import type { TranscriptEntry } from "./transcript.ts";

export interface SessionPlace {
  /** Absolute folder of the project. */
  readonly cwd: string;
}

/** More would bury a later session; the first of each kind are kept. */
const MOST_OF_A_KIND = 8;
const MOST_FILES = 20;

/** What a later session may want to know of this one, without repetitions, in order. */
export async function findCandidates(
  entries: readonly TranscriptEntry[],
  { cwd }: SessionPlace,
): Promise<Candidate[]> {
  const uses = toolUses(entries);
  const found = distinct([...findStatements(entries), ...findCures(uses, cwd)]);
  const kept = (["preference", "decision", "cure"] as const).flatMap((kind) =>
    found.filter((candidate) => candidate.kind === kind).slice(0, MOST_OF_A_KIND),
  );
  const files = [...new Set(uses.flatMap(({ call }) => editedFiles(call, cwd)))];
  const all = files.length === 0 ? kept : [...kept, filesTouched(files, entries)];
  // Nobody looks at what is captured before it is kept.
  return Promise.all(
    all.map(async (candidate) => ({ ...candidate, content: await maskSecrets(candidate.content) })),
  );
}

function filesTouched(files: readonly string[], entries: readonly TranscriptEntry[]): Candidate {
  const shown = files.slice(0, MOST_FILES);
  const more = files.length - shown.length;
  const list = more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
  const task = taskOf(entries);
  return {
    kind: "files",
    episodeType: "observation",
    content: task === "" ? `Files changed: ${list}.` : `Work on "${task}" changed ${list}.`,
    entities: shown.map((path) => `file:${path}`),
    assertedBy: "assistant",
  };
}

/** The first thing that the user asked for. */
function taskOf(entries: readonly TranscriptEntry[]): string {
  for (const entry of entries) {
    if (entry.kind !== "said" || entry.by !== "user") continue;
    const [first] = sentencesOf(entry.text);
    if (first !== undefined) return shorten(first, 160);
  }
  return "";
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = comparableText(candidate.content);
    if (!seen.has(key)) seen.set(key, candidate);
  }
  return [...seen.values()];
}

/** Letters and digits alone: the same statement with other punctuation is the same. */
export function comparableText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
