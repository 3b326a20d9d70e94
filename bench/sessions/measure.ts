import { decisionOf } from "./fill.ts";
import type { Task, Turn } from "./tasks.ts";

/**
 * Minimum fraction of the rule's words that must be shown for the decision to count as included.
 */
export const MIN_RULE_COVERAGE = 0.8;
/** Minimum fraction of a closing turn's words that must be shown for it to count as shown. */
const MIN_TURN_COVERAGE = 0.6;

const STOP_WORDS = new Set(
  "a an and any are as at be by but every for from if in is it its may must no not of on one only or per so than that the then they this to use used when which with".split(
    " ",
  ),
);

/** Returns numbers, identifiers and content words, without inflectional endings. */
function extractWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_$%&][\p{L}\p{N}_.$%&-]*/gu) ?? [];
  return new Set(
    words
      .map((word) => word.replace(/[.-]+$/, "").replace(/(?:ing|ed|es|s)$/, ""))
      .filter((word) => word !== "" && !STOP_WORDS.has(word)),
  );
}

function computeCoverage(wanted: ReadonlySet<string>, contained: ReadonlySet<string>): number {
  return [...wanted].filter((word) => contained.has(word)).length / Math.max(1, wanted.size);
}

export interface Measured {
  readonly task: string;
  /** Fraction of the rule's words that occur in its conversation but not in the report. */
  readonly coverage: number;
  /** The superseded rule is shown and the current one is not. */
  readonly isStale: boolean;
}

/** Measures how much of the decision an agent is shown with the bug report. */
export function measure(task: Task, output: string): Measured {
  const contained = extractWords(output);
  const said = extractWords(
    task.chats.length === 0 ? decisionOf(task) : textOf(task.chats.at(-1) ?? []),
  );
  const asked = extractWords(task.bug_report);
  const expected = new Set(
    [...extractWords(task.policy)].filter((word) => said.has(word) && !asked.has(word)),
  );
  const isShown = (chat: readonly Turn[] | undefined) =>
    chat !== undefined &&
    computeCoverage(extractWords(closingOf(chat)), contained) >= MIN_TURN_COVERAGE;
  const isStale = task.chats.length > 1 && isShown(task.chats[0]) && !isShown(task.chats.at(-1));
  return { task: task.codebase, coverage: computeCoverage(expected, contained), isStale };
}

const textOf = (chat: readonly Turn[]) => chat.map(({ text }) => text).join("\n");

function closingOf(chat: readonly Turn[]): string {
  const closing = chat.findLast(({ by, text }) => by === "assistant" && text.length > 80);
  return (closing ?? chat.at(-1))?.text ?? "";
}
