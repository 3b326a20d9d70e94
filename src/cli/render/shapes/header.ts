import { type Fields, inLine, showAge, showNumber } from "../show-value.ts";
import type { Style } from "../style.ts";

/** First line of a record: its id, then what tells it from others at a glance. */
export function header(id: unknown, parts: readonly string[], style: Style): string {
  const { bold, cyan } = style.colors;
  return [bold(cyan(inLine(id))), ...parts.filter((part) => part !== "")].join("  ");
}

/** `score 0.82`, where a record came from a search. */
export function showScore(record: Fields, style: Style): string {
  const { score } = record;
  return typeof score === "number" ? style.colors.green(`score ${score.toFixed(2)}`) : "";
}

export function showAgeOf(record: Fields, style: Style): string {
  return style.colors.dim(showAge(record.occurred_at ?? record.created_at, style));
}

/** `deleted 2 days ago`, of what is deleted. */
export function showDeleted(record: Fields, style: Style): string {
  const { deleted_at: deletedAt } = record;
  return typeof deletedAt === "string"
    ? style.colors.red(`deleted ${showAge(deletedAt, style)}`)
    : "";
}

/** `by ada` */
export function showAsserter(record: Fields): string {
  const { asserted_by: by } = record;
  return typeof by === "string" && by !== "" ? `by ${inLine(by)}` : "";
}

/** Where the score came from, largest summand first; only with `--explain`. */
export function showExplanation(record: Fields): string {
  const { explain } = record;
  if (typeof explain !== "object" || explain === null) return "";
  return Object.entries(explain)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] !== 0)
    .sort((a, b) => b[1] - a[1])
    .map(([name, value]) => `${inLine(name)} ${bar(value)}${showNumber(value)}`)
    .join(", ");
}

/** A share of one as a bar of at most ten cells. */
function bar(share: number): string {
  const cells = Math.round(Math.min(1, Math.max(0, share)) * 10);
  return cells === 0 ? "" : `${"▇".repeat(cells)} `;
}
