import { invalidInput } from "../../shared/errors.ts";
import { tellsItsPlace } from "./locate-anchor.ts";
import type { Line } from "./split-lines.ts";

/** Lines `from` up to but without `to` are replaced, counted from 0. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly content: string;
  /** Of the edit in the call. */
  readonly index: number;
}

export interface SlipPlace {
  readonly lines: readonly Line[];
  /** First line that another edit changes, and the end of the one before; counted from 0. */
  readonly nextChange: number;
  readonly previousChange: number;
}

/**
 * Refuses a content that repeats the line before or after what it replaces: written as it is, that
 * line would stand there twice. Brackets alone count where they leave the code unbalanced.
 */
export function refuseRepeatedNeighbour(span: Span, place: SlipPlace): void {
  const { lines, nextChange, previousChange } = place;
  if (span.content === "" || span.to === span.from) return;
  const given = span.content.replace(/\n$/, "").split("\n");
  if (given.length < 2) return;
  const replaced = lines.slice(span.from, span.to).map(({ text }) => text);
  const after = span.to < nextChange ? lines[span.to]?.text : undefined;
  const before = span.from > previousChange ? lines[span.from - 1]?.text : undefined;
  if (after !== undefined && isRepeated(given.at(-1), after, { given, replaced })) {
    throw repeated(span.index, { side: "ends", other: "after", number: span.to + 1, text: after });
  }
  if (before !== undefined && isRepeated(given[0], before, { given, replaced })) {
    throw repeated(span.index, {
      side: "begins",
      other: "before",
      number: span.from,
      text: before,
    });
  }
}

/** A unified diff in place of the lines themselves. */
export function refuseDiff(content: string, field: string): void {
  const isDiff =
    /^@@ .*@@/m.test(content) && content.split("\n").every((line) => /^([-+@ \\]|$)/.test(line));
  if (!isDiff) return;
  throw invalidInput(
    `${field} is a diff. Nothing was changed: give the new lines alone, without @@ and signs.`,
  );
}

interface Change {
  readonly given: readonly string[];
  readonly replaced: readonly string[];
}

function isRepeated(edge: string | undefined, neighbour: string, change: Change): boolean {
  if (edge === undefined || edge !== neighbour || edge.trim() === "") return false;
  const { given, replaced } = change;
  if (replaced.includes(edge)) return false;
  if (tellsItsPlace({ text: edge })) return true;
  const extra = balance(given) - balance(replaced);
  return extra !== 0 && extra === balance([edge]);
}

/** Brackets that are opened less those that are closed. */
function balance(lines: readonly string[]): number {
  const text = lines.join("\n");
  return (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
}

interface Repetition {
  readonly side: "begins" | "ends";
  readonly other: "before" | "after";
  readonly number: number;
  readonly text: string;
}

function repeated(index: number, { side, other, number, text }: Repetition): Error {
  return invalidInput(
    `edits[${index}].content ${side} with line ${number}, which stands ${other} what it replaces ` +
      `and would be there twice: "${text.trim()}". Nothing was changed: leave that line out of ` +
      `content, or, if it is meant twice, let the edit replace line ${number}, too.`,
  );
}
