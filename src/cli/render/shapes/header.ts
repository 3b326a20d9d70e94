import { inLine, showAge, showNumber } from "../show-value.ts";
import type { ShownEpisode } from "../shown.ts";
import type { Style } from "../style.ts";

/** The fields that a search adds to an item. */
type Searched = Pick<ShownEpisode, "score" | "explain">;

type Dated = Pick<ShownEpisode, "occurred_at" | "created_at" | "deleted_at">;

/** The first line of a record: its id, then what distinguishes it at a glance. */
export function header(id: string, parts: readonly string[], style: Style): string {
  const { bold, cyan } = style.colors;
  return [bold(cyan(inLine(id))), ...parts.filter((part) => part !== "")].join("  ");
}

/** `score 0.82`, where a record came from a search. */
export function showScore({ score }: Searched, style: Style): string {
  return score === undefined ? "" : style.colors.green(`score ${score.toFixed(2)}`);
}

export function showAgeOf(
  { occurred_at: occurredAt, created_at: createdAt }: Dated,
  style: Style,
): string {
  return style.colors.dim(showAge(occurredAt ?? createdAt, style));
}

/** `deleted 2 days ago`, of what is deleted. */
export function showDeleted({ deleted_at: deletedAt }: Dated, style: Style): string {
  return deletedAt ? style.colors.red(`deleted ${showAge(deletedAt, style)}`) : "";
}

/** `by ada` */
export function showAsserter({ asserted_by: by }: Pick<ShownEpisode, "asserted_by">): string {
  return by ? `by ${inLine(by)}` : "";
}

/** The origins of the score, largest first; only with `--explain`. */
export function showExplanation({ explain }: Searched): string {
  if (explain === undefined) return "";
  return Object.entries(explain)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] !== 0)
    .sort((a, b) => b[1] - a[1])
    .map(([name, value]) => `${inLine(name)} ${bar(value)}${showNumber(value)}`)
    .join(", ");
}

/** A share of one as a bar of up to ten cells. */
function bar(share: number): string {
  const cells = Math.round(Math.min(1, Math.max(0, share)) * 10);
  return cells === 0 ? "" : `${"▇".repeat(cells)} `;
}
