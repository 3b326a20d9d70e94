import { alignColumns } from "../lay-out.ts";
import type { BlockShape } from "../shape.ts";
import { type Fields, has, inLine, isFields } from "../show-value.ts";
import { showCollisions } from "./remembered.ts";
import { opResult } from "./rows.ts";

/** Changesets with more ops are summed up by kind. */
const LISTED_OPS = 60;

/** What `apply` answers. */
export const applied: BlockShape = {
  fits: (record) => has(record, "success", "dry_run", "results"),
  block: (record, style) => {
    const results = Array.isArray(record.results) ? record.results.filter(isFields) : [];
    const lines =
      results.length > LISTED_OPS
        ? countByOp(results)
        : results.map((result) => opResult.row(result, style));
    return [
      ...alignColumns(lines, style.columns),
      style.colors.bold(summary(results.length, record.dry_run === true)),
      ...results.flatMap((result) => showCollisions(withoutSettled(result, results), style)),
    ];
  },
};

/** A collision that another op of the same changeset superseded or opened a conflict for is told. */
function withoutSettled(result: Fields, results: readonly Fields[]): Fields {
  const { collisions, fact_id: fact } = result;
  if (!Array.isArray(collisions)) return result;
  const settled = (other: unknown) =>
    results.some(
      (op) =>
        (op.op === "supersede" && (op.id === other || op.id === fact)) ||
        (op.op === "conflict" && isPair(op, other, fact)),
    );
  return {
    ...result,
    collisions: collisions.filter((item) => !isFields(item) || !settled(item.id)),
  };
}

function isPair({ fact_a: a, fact_b: b }: Fields, first: unknown, second: unknown): boolean {
  const ids = [a, b].map((side) => (isFields(side) ? side.id : side));
  return ids.includes(first) && ids.includes(second);
}

function summary(count: number, isDryRun: boolean): string {
  if (count === 0) return "The changeset holds no op; nothing was written.";
  const ops = count === 1 ? "1 op" : `${count} ops`;
  return isDryRun ? `${ops} would be applied. Nothing was written.` : `Applied ${ops}.`;
}

function countByOp(results: readonly Fields[]): string[][] {
  const counts = new Map<string, number>();
  for (const { op } of results) counts.set(inLine(op), (counts.get(inLine(op)) ?? 0) + 1);
  return Array.from(counts, ([op, count]) => [String(count), op]);
}
