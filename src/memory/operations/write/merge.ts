import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../../database/index.ts";
import { invalidInput, notFound } from "../../../shared/errors.ts";
import { type ConceptRow, loadConcept, requireConcept } from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { concepts } from "../../concepts/concept.table.ts";
import { insertConcept } from "../../concepts/insert-concept.ts";
import { mergeConcepts } from "../../concepts/merge-concepts.ts";
import { getIds, idOf, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { kindOfId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";
import type { OperationContext } from "../operation-context.ts";

export const merge = defineOperation({
  name: "merge",
  summary: "Merge overlapping concepts into one; the sources are soft-deleted with their lineage",
  kind: "write",
  input: z.strictObject({
    from: getIds("concept").describe("Ids of the concepts to merge."),
    into: idOf("concept").describe("Id of the concept to keep, or the title of a new one."),
    reason: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: conceptRecord.extend({ merged_from: z.array(z.string()) }),
  mcp: { interfaces: false, destructive: true },
  rest: false,
  confirm: ({ from }, { id, title }) => `Merged ${from.join(", ")} into ${id}: ${title}.`,
  cli: {
    command: "concept merge",
    positionals: ["into"],
    example: 'cairn concept merge "Deploy rules" --from CONCEPT,OTHER',
  },
  changeset: { op: "merge", text: "reason", aliases: { note: "reason" } },
  async writes(tx, { from, into }) {
    const target = await findConcept(tx, into);
    return target === undefined ? from : [...from, into];
  },
  async run(context, input) {
    const { tx } = context;
    const sources: ConceptRow[] = [];
    for (const id of new Set(input.from)) sources.push(await requireConcept(tx, id, "from"));
    const target = await findTarget(context, input.into, sources);
    await mergeConcepts(context, sources, { target, note: input.reason ?? null });
    const mergedFrom = sources
      .filter(({ id }) => id !== target.id)
      .map((source) => source.publicId);
    await context.emit({
      kind: "updated",
      subjectType: "concept",
      subjectId: target.publicId,
      payload: {
        op: "merge",
        from: mergedFrom,
        into: target.publicId,
        reason: input.reason ?? null,
      },
    });
    return { ...(await loadConcept(tx, target.id)), merged_from: mergedFrom };
  },
});

/** Recognizes generated ids, so that a mistyped id does not become a title. */
const CONCEPT_ID_PATTERN = /^c[0-9a-hjkmnp-tv-z]{16}$/;

async function findTarget(
  context: OperationContext,
  into: string,
  sources: readonly ConceptRow[],
): Promise<ConceptRow> {
  const existing = await findConcept(context.tx, into);
  if (existing !== undefined) return requireConcept(context.tx, into, "into");
  if (CONCEPT_ID_PATTERN.test(into)) throw notFound(`into: there is no concept ${into}`);
  const kind = kindOfId(into);
  if (kind === "episode" || kind === "fact" || kind === "conflict") {
    throw invalidInput(`into: "${into}" is the id of a ${kind}; name a concept or a new title`);
  }
  const title = into.trim();
  if (title === "") throw invalidInput("into: must not be blank");
  const first = sources[0];
  return insertConcept(context, {
    title,
    summary: sources
      .map((source) => source.summary)
      .filter(Boolean)
      .join("\n\n"),
    type: first?.type ?? "pattern",
    confidence: Math.max(...sources.map((source) => source.confidence)),
    tags: [...new Set(sources.flatMap((source) => source.tags))],
    topicId: first?.topicId ?? null,
    sources: [],
  });
}

async function findConcept(tx: Tx, id: string): Promise<{ id: number } | undefined> {
  const [row] = await tx
    .select({ id: concepts.id })
    .from(concepts)
    .where(eq(concepts.publicId, id));
  return row;
}
