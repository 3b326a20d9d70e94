import { alignColumns, indent } from "../lay-out.ts";
import type { ShownApplied, ShownCollisions, ShownRemembered } from "../record-types.ts";
import type { BlockShape } from "../shape.ts";
import { type Fields, hasValue, isFields, toInline } from "../show-value.ts";
import type { Style } from "../style.ts";
import { fact } from "./details.ts";
import { opResult } from "./rows.ts";

export const remembered: BlockShape<ShownRemembered> = {
  fits: (record) =>
    hasValue<ShownRemembered>(record, "id", "episode_type", "created_at") &&
    !hasValue(record, "content") &&
    !hasValue(record, "op"),
  block: (record, style) => {
    const { bold, cyan } = style.colors;
    const kind = toInline(record.episode_type);
    return [
      `Remembered ${bold(cyan(toInline(record.id)))} (${kind})${style.database === undefined ? "" : ` in ${style.database}`}.`,
      ...(record.fact_id === undefined ? [] : [showCluster(record, style)]),
      ...showCollisions(record, style),
      ...showRepeatedNote(record),
    ];
  },
};

function showRepeatedNote({ id, earlier = [] }: ShownRemembered): string[] {
  return earlier.flatMap((one) => {
    const [old, day] = [toInline(one.id), toInline(one.at).slice(0, 10)];
    if (one.relation === "repeats") return [`It repeats ${old} of ${day}.`];
    return [
      `It contradicts ${old} of ${day}: ${toInline(one.text)}`,
      `If it replaces ${old}:  cairn supersede ${old} ${toInline(id)}`,
    ];
  });
}

function showCluster(record: ShownRemembered, { colors }: Style): string {
  const cluster = record.cluster_created === true ? "the new cluster" : "cluster";
  return `${colors.bold(colors.cyan(toInline(record.fact_id)))} is in ${cluster} ${toInline(record.cluster_id)}.`;
}

/** Shows facts that a new one may contradict, and how to resolve them. */
function showCollisions(record: ShownCollisions, style: Style): string[] {
  const { collisions: known = [], collisions_total: total } = record;
  if (known.length === 0) return [];
  const former = known.length === 1 ? toInline(known[0]?.id) : "OLD";
  const latter = toInline(record.fact_id);
  const count = total ?? known.length;
  const more = count - known.length;
  return [
    "",
    style.colors.yellow(
      `${latter} may contradict ${count === 1 ? "1 active fact" : `${count} active facts`}:`,
    ),
    ...indent(
      known.flatMap((collision) => fact.block(collision, { ...style, columns: style.columns - 2 })),
      2,
    ),
    ...(more > 0 ? [`  and ${more} less similar; --collisions all lists them`] : []),
    "",
    `If ${latter} replaces ${former}:  cairn supersede ${former} ${latter}`,
    `If they contradict:  cairn conflict ${former} ${latter} --description "why"`,
    "If both are true, do nothing.",
  ];
}

/** Larger changesets are summarized by kind. */
const MAX_LISTED_OPS = 60;

export const applied: BlockShape<ShownApplied> = {
  fits: (record) => hasValue<ShownApplied>(record, "success", "dry_run", "results"),
  block: (record, style) => {
    const { results } = record;
    const lines =
      results.length > MAX_LISTED_OPS
        ? countByOp(results)
        : results.map((result) => opResult.row(result, style));
    return [
      ...alignColumns(lines, style.columns),
      style.colors.bold(formatSummary(results.length, record.dry_run)),
      ...showUnsettledCollisions(results, style),
    ];
  },
};

type Collision = NonNullable<ShownCollisions["collisions"]>[number];

const MAX_DETAILED_FACTS = 5;

/** Collisions that the changeset neither superseded nor reported as a conflict. */
function showUnsettledCollisions(results: readonly Fields[], style: Style): string[] {
  const superseded = new Set(results.filter(({ op }) => op === "supersede").map(({ id }) => id));
  const disputed = new Set(results.filter(({ op }) => op === "conflict").flatMap(formatPairs));
  const unsettled = results.flatMap((result) => {
    const { collisions, fact_id: fact } = result;
    if (!Array.isArray(collisions) || superseded.has(fact)) return [];
    const unresolved = collisions
      .filter(isCollision)
      .filter(({ id }) => !superseded.has(id) && !disputed.has(`${String(fact)} ${String(id)}`));
    return unresolved.length === 0 ? [] : [{ ...result, collisions: unresolved }];
  });
  const rest = unsettled.length - MAX_DETAILED_FACTS;
  return [
    ...unsettled.slice(0, MAX_DETAILED_FACTS).flatMap((result) => showCollisions(result, style)),
    ...(rest > 0 ? ["", `${rest} more facts may contradict others; --json lists all.`] : []),
  ];
}

function isCollision(value: unknown): value is Collision {
  return isFields(value) && hasValue<Collision>(value, "id", "statement", "valid_from");
}

/** Both orders of a conflict's facts. */
function formatPairs({ fact_a: a, fact_b: b }: Fields): string[] {
  const [first, second] = [a, b].map((side) => String(isFields(side) ? side.id : side));
  return [`${first} ${second}`, `${second} ${first}`];
}

function formatSummary(count: number, isDryRun: boolean): string {
  if (count === 0) return "The changeset contains no ops; nothing was written.";
  const ops = count === 1 ? "1 op" : `${count} ops`;
  return isDryRun ? `${ops} would be applied. Nothing was written.` : `Applied ${ops}.`;
}

function countByOp(results: readonly Fields[]): string[][] {
  const counts = new Map<string, number>();
  for (const { op } of results) counts.set(toInline(op), (counts.get(toInline(op)) ?? 0) + 1);
  return Array.from(counts, ([op, count]) => [String(count), op]);
}
