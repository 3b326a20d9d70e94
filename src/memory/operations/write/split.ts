import { eq } from "drizzle-orm";
import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { loadSourceEpisodes, requireConcept } from "../../concepts/concept.queries.ts";
import { FACT_CLUSTER } from "../../concepts/concept.schema.ts";
import { concepts } from "../../concepts/concept.table.ts";
import { insertConcept } from "../../concepts/insert-concept.ts";
import { idOf, listField, listOfAtLeast, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { loadLabels } from "../../labels/label.queries.ts";
import { defineOperation } from "../define-operation.ts";

const MAX_TITLE_CHARS = 512;

export const split = defineOperation({
  name: "split",
  summary: "Split a concept into several new ones; the source stays and names them in its lineage",
  description: "The new concepts start from the source's episodes, labels and tags.",
  target: "id",
  kind: "write",
  input: z.strictObject({
    id: idOf("concept"),
    into: listField
      .meta(listOfAtLeast(2))
      .describe("Two or more new titles: comma-separated or an array."),
    reason: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ id: z.string(), split_into: z.array(z.string()) }),
  mcp: { interfaces: false },
  rest: false,
  confirm: ({ id }, output) => `Split ${id} into ${output.split_into.join(", ")}; it stays.`,
  cli: {
    command: "concept split",
    positionals: ["id"],
    example: 'cairn concept split CONCEPT --into "Reads, Writes"',
  },
  changeset: { op: "split", text: "reason", nameless: true, aliases: { note: "reason" } },
  async run(context, input) {
    const { tx, now } = context;
    if (input.into.length < 2) throw invalidInput("into: must name two or more different titles");
    if (input.into.some((title) => title.length > MAX_TITLE_CHARS)) {
      throw invalidInput(`into: a title must have at most ${MAX_TITLE_CHARS} characters`);
    }
    const source = await requireConcept(tx, input.id, "id");
    if (source.type === FACT_CLUSTER) {
      throw invalidInput(`id: ${input.id} is a fact cluster; its facts stay together`);
    }
    const sources = await loadSourceEpisodes(tx, source.id);
    const labels = await loadLabels(tx, { type: "concept", number: source.id });
    const created: string[] = [];
    for (const title of input.into) {
      const row = await insertConcept(context, {
        title,
        summary: "",
        type: source.type,
        confidence: source.confidence,
        tags: source.tags,
        topicId: source.topicId,
        labels,
        sources,
        splitFrom: source.id,
      });
      created.push(row.publicId);
    }
    await tx
      .update(concepts)
      .set({ updatedAt: now, ...(input.reason !== undefined && { lineageNote: input.reason }) })
      .where(eq(concepts.id, source.id));
    await context.emit({
      kind: "updated",
      subjectType: "concept",
      subjectId: source.publicId,
      payload: { op: "split", id: source.publicId, into: created, reason: input.reason ?? null },
    });
    return { id: source.publicId, split_into: created };
  },
});
