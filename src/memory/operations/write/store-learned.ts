import { z } from "zod";
import {
  idempotencyKeyField,
  idOf,
  listField,
  nameField,
  noteField,
  referenceField,
} from "../../input/fields.ts";
import { parseNumberedId } from "../../input/item-ids.ts";
import { storeClaims } from "../../learned/store-claims.ts";
import { claimFields } from "../../proposals/proposal.queries.ts";
import { learnedThrough } from "../../sources/learning-progress.ts";
import { findSource } from "../../sources/source.queries.ts";
import { defineOperation } from "../define-operation.ts";

const MAX_CLAIMS = 1_000;
const MAX_SOURCES = 10_000;

const former = z.object({ id: z.string(), content: z.string() });
const reference = z.object({ index: z.number().int(), id: z.string() });

export const keepLearned = defineOperation({
  name: "keep_learned",
  summary:
    "Store what a session taught: accepted claims with what they replace, others as proposals",
  description:
    "Skips claims that repeat stored statements. A correction of an active statement " +
    "replaces it, or opens a conflict if that is uncertain. One change.",
  kind: "write",
  input: z.strictObject({
    claims: z
      .array(
        z.strictObject({
          ...claimFields,
          verdict: z.enum(["accept", "propose"]).default("accept"),
          reason: noteField.optional().describe("Why it needs a review."),
          only_if_replaces: z
            .boolean()
            .default(false)
            .describe("Store it only if it replaces something."),
        }),
      )
      .max(MAX_CLAIMS),
    shown: listField
      .optional()
      .describe("Ids shown in the session, which corrections refer to first."),
    source: z
      .strictObject({ kind: nameField, key: referenceField })
      .optional()
      .describe("The source whose passages contain the quotations."),
    through: z
      .array(z.strictObject({ source_id: idOf("source"), passage_id: idOf("passage") }))
      .max(MAX_SOURCES)
      .optional()
      .describe("Last processed passage of each source, stored as its `learned_through`."),
    dry_run: z.boolean().default(false).describe("Report the effect without writing."),
    idempotency_key: idempotencyKeyField.optional(),
  }),
  output: z.object({
    kept: z.array(
      reference.extend({
        content: z.string(),
        episode_type: z.string(),
        replaced: z.array(former),
        disputed: z.array(former.extend({ conflict_id: z.string() })),
        replaced_by: former.optional().describe("Later statement that replaced it."),
      }),
    ),
    proposed: z.array(reference),
    known: z.array(reference).describe("Claims that repeat existing statements."),
  }),
  mcp: { interfaces: false },
  rest: false,
  cli: { command: false },
  confirm: (_input, { kept, proposed }) => `Kept ${kept.length}, proposed ${proposed.length}.`,
  async run(context, { claims, shown = [], source, through = [], dry_run: isDry }) {
    for (const { source_id: of, passage_id: passage } of through) {
      const { id } = await findSource(context.tx, of, "through.source_id");
      await learnedThrough(context.tx, id, parseNumberedId(passage, "passage", "through"));
    }
    const { kept, proposed, known } = await storeClaims(context, { claims, shown, source });
    if (isDry) context.rollBackAfterwards();
    return {
      kept: kept.map(({ replaced, disputed, ...one }) => ({
        ...one,
        replaced: [...replaced],
        disputed: [...disputed],
      })),
      proposed: [...proposed],
      known: [...known],
    };
  },
});
