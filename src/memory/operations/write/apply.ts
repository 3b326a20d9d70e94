import { z } from "zod";
import { withMeta } from "../../../shared/fields.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { shorten } from "../../../shared/text.ts";
import { collisionsField, idempotencyKeyField } from "../../input/fields.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { quoteLinesForModel, quoteNameForModel } from "../../presentation/quote-for-model.ts";
import { applyChangeset } from "../apply-changeset.ts";
import { defineOperation } from "../define-operation.ts";

interface AppliedOp {
  readonly op: string;
  readonly id?: string | undefined;
  readonly ref?: string | undefined;
  readonly [field: string]: unknown;
}

interface Applied {
  readonly results: readonly AppliedOp[];
  readonly dry_run: boolean;
  readonly counts?: Readonly<Record<string, number>> | undefined;
}

const MAX_LISTED_OPS = 20;
const MAX_LISTED_NAMES = 40;
/** Maximum unnumbered ids listed per kind of op. */
const MAX_LISTED_IDS = 10;
const MAX_CLOSEST = 5;
const MAX_PER_STATEMENT = 240;

function formatApplied({ results, dry_run: isDry, counts }: Applied): string {
  if (counts !== undefined) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const lines = Object.entries(counts).map(([op, count]) => `- ${op} (${count})`);
    return [`Applied ${total} ops.`, ...lines, ...formatNames(results)].join("\n");
  }
  if (results.length === 0) return "The changeset contains no ops; nothing was written.";
  const ops = results.length === 1 ? "1 op" : `${results.length} ops`;
  return [
    isDry ? `${ops} would be applied; nothing was written.` : `Applied ${ops}.`,
    ...(results.length > MAX_LISTED_OPS ? formatCounts(results) : results.map(formatResultLine)),
    ...describeCollisions(results),
  ].join("\n");
}

function formatResultLine({ op, id, fact_id: fact, ref }: AppliedOp): string {
  const ids = [id, fact].filter((each) => typeof each === "string");
  return `- ${[op, ...ids, ...(ref === undefined ? [] : [`as ${ref}`])].join(" · ")}`;
}

function formatCounts(results: readonly AppliedOp[]): string[] {
  const byOp = new Map<string, AppliedOp[]>();
  for (const result of results) byOp.set(result.op, [...(byOp.get(result.op) ?? []), result]);
  const lines = Array.from(byOp, ([op, group]) => {
    const ids = [
      ...formatRanges(group.map(({ id }) => id)),
      ...formatRanges(group.map((one) => one.fact_id)),
    ];
    return `- ${op} (${group.length}): ${ids.join(", ")}`;
  });
  return [...lines, ...formatNames(results)];
}

function formatNames(results: readonly AppliedOp[]): string[] {
  const named = results.filter(({ ref }) => ref !== undefined);
  if (named.length === 0) return [];
  const names = named.slice(0, MAX_LISTED_NAMES).map(({ ref, id }) => `${ref}=${String(id)}`);
  const more = named.length - names.length;
  return [`names: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}

function formatRanges(values: readonly unknown[]): string[] {
  const ids = [...new Set(values.filter((value) => typeof value === "string"))];
  const ranges: { kind: string; first: number; last: number }[] = [];
  const others: string[] = [];
  for (const id of ids) {
    const [, kind = "", digits] = /^(ep|fact|conflict|source|passage):(\d+)$/.exec(id) ?? [];
    const range = ranges.at(-1);
    const number = Number(digits);
    if (digits === undefined) others.push(id);
    else if (range?.kind === kind && range.last + 1 === number) range.last = number;
    else ranges.push({ kind, first: number, last: number });
  }
  const listed = ranges.map(({ kind, first, last }) =>
    first === last ? `${kind}:${first}` : `${kind}:${first}–${kind}:${last}`,
  );
  const all = [...listed, ...others];
  const more = all.length - MAX_LISTED_IDS;
  return more > 0 ? [...all.slice(0, MAX_LISTED_IDS), `and ${more} more`] : all;
}

function describeCollisions(results: readonly AppliedOp[]): string[] {
  const settled = new Set(results.flatMap(collectSettledIds));
  const facts = results.filter(
    ({ fact_id: fact, collisions_total: total, collisions_omitted: omitted }) =>
      (Number(total) > 0 || omitted === true) && !settled.has(String(fact)),
  );
  if (facts.length === 0) return [];
  const pairs = facts.flatMap(({ fact_id: fact, collisions }) =>
    collectRecords(collisions).flatMap((other, position) =>
      settled.has(String(other.id)) ? [] : [{ fact: String(fact), other, place: position }],
    ),
  );
  const created = new Set(facts.map(({ fact_id: fact }) => String(fact)));
  const rank = ({ other, place: position }: (typeof pairs)[number]) =>
    position + (created.has(String(other.id)) ? pairs.length : 0);
  const closest = pairs.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_CLOSEST);
  if (closest.length === 0) return [];
  const total = facts.reduce((sum, { collisions_total: count = 0 }) => sum + Number(count), 0);
  const more = total - closest.length;
  const least = facts.some(({ collisions_omitted: omitted }) => omitted === true)
    ? "at least "
    : "";
  return [
    `${facts.length === 1 ? "1 new fact" : `${facts.length} new facts`} may contradict active ones; use supersede or conflict for those that do:`,
    ...closest.map(({ fact, other }) => `- ${fact} and ${formatFact(other)}`),
    ...(more > 0 ? [`and ${least}${more} more pairs, less close`] : []),
  ];
}

function collectSettledIds({ op, ...result }: AppliedOp): string[] {
  if (op === "supersede") return [String(result.id)];
  if (op !== "conflict") return [];
  return [result.fact_a, result.fact_b].map((side) => String(isPlainObject(side) ? side.id : side));
}

function collectRecords(collisions: unknown): Record<string, unknown>[] {
  return Array.isArray(collisions) ? collisions.filter(isPlainObject) : [];
}

function formatFact({
  id,
  statement,
  asserted_by: by,
  valid_from: since,
}: Record<string, unknown>) {
  const text = quoteLinesForModel(String(statement)).join(" ");
  const whose = typeof by === "string" && by !== "" ? ` · by ${quoteNameForModel(by)}` : "";
  return `${String(id)} · since ${String(since).slice(0, 10)}${whose}: ${shorten(text, MAX_PER_STATEMENT)}`;
}

const opResult = z.looseObject({
  op_index: z.number().int(),
  op: z.string(),
  success: z.boolean(),
  id: z.string().optional(),
  ref: z.string().optional(),
});

const opError = z.object({
  op_index: z.number().int(),
  line: z.number().int(),
  op: z.string(),
  code: z.string(),
  message: z.string(),
});

export const apply = defineOperation({
  name: "apply",
  summary: "Write a changeset: many ops, all or nothing",
  description:
    'One op a line, `op key=value … "text"`, or a JSON array of objects with `op`. ' +
    "`as=name` names the result of an op, `$name` refers to it.",
  describe: (operations) =>
    `Ops: ${operations.flatMap(({ changeset }) => changeset?.op ?? []).join(", ")}.`,
  kind: "write",
  input: z.strictObject({
    changeset: z
      .string()
      .max(64 * 1024 * 1024)
      .describe(
        `Compact or JSON form; at most ${DEFAULT_LIMITS.changesetOps} ops unless the server is set otherwise.`,
      ),
    dry_run: z.boolean().default(false).describe("Validate everything, write nothing."),
    collisions: collisionsField.optional(),
    idempotency_key: idempotencyKeyField.optional(),
    continues: withMeta(
      z.strictObject({
        op: z.number().int().min(0).default(0).describe("Ops before it."),
        line: z.number().int().min(1).default(1).describe("Line on which it starts."),
        names: z
          .record(z.string(), z.strictObject({ id: z.string(), fact_id: z.string().optional() }))
          .default({})
          .describe("Ids of items created by earlier parts, by their `as` names."),
      }),
      { ofCall: true },
    )
      .describe("The preceding part of a longer changeset.")
      .optional(),
    answer: withMeta(z.enum(["each", "summary"]), { ofCall: true })
      .describe(
        "`each`: the result of every op (default); `summary`: counts by op, and results of named ops only.",
      )
      .optional(),
  }),
  output: z.object({
    success: z.boolean(),
    dry_run: z.boolean(),
    results: z.array(opResult),
    counts: z
      .record(z.string(), z.number().int())
      .optional()
      .describe("In a summary: ops by name."),
    errors: z.array(opError),
  }),
  mcp: {
    core: true,
    purpose:
      "Change memory with many ops at once, all or nothing: to settle contradicting " +
      "facts, correct, or consolidate.",
    searchHint: "memory changeset supersede conflict resolve consolidate delete link",
    hiddenFields: ["collisions", "continues", "answer"],
    plainFields: ["changeset"],
  },
  rest: { method: "POST", path: "/apply" },
  cli: { command: false, example: "cairn apply changes.txt" },
  agentTool: "memory_apply",
  present: (applied) => ({
    text: formatApplied(applied),
    summary: `${applied.results.length} changes ${applied.dry_run ? "would be applied" : "applied"}`,
  }),
  run: (context, input) => applyChangeset(context, input),
});
