import { z } from "zod";
import { withMeta } from "../../../shared/fields.ts";
import { collisionsField, idempotencyKeyField } from "../../input/fields.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { applyChangeset } from "../apply-changeset.ts";
import { defineOperation } from "../define-operation.ts";
import { formatApplied } from "./format-applied.ts";

const opResult = z.looseObject({
  op_index: z.number().int(),
  op: z.string(),
  success: z.boolean(),
  id: z.string().optional(),
  /** The name declared with `as=`. */
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
    "`as=name` names what an op makes, `$name` refers to it.",
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
          .describe("Ids of what earlier parts made, by the names that they gave with `as`."),
      }),
      { ofCall: true },
    )
      .describe("What stands before it, where it is a part of a longer changeset.")
      .optional(),
    answer: withMeta(z.enum(["each", "summary"]), { ofCall: true })
      .describe(
        "`each` op's result (default), or a `summary`: how many of each op, and results only of those with a name.",
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
