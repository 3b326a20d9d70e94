import { and, asc, eq, gt } from "drizzle-orm";
import { z } from "zod";
import { episodes } from "../../episodes/episode.table.ts";
import { facts } from "../../facts/fact.table.ts";
import { idField, nameField } from "../../input/fields.ts";
import { episodeId, factId, parseNumberedId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";

const MAX_LIMIT = 5000;

const importNote = z.looseObject({ import_id: z.string(), import_hash: z.string().optional() });

export const listImported = defineOperation({
  name: "list_imported",
  summary: "List imported items by their ids in the source",
  description:
    "Includes deleted episodes, so that an import does not restore them. Ascending; " +
    "continue with the last id as `after` until fewer than `limit` are returned.",
  kind: "read",
  input: z.strictObject({
    source: nameField.describe("Name of the importer, e.g. `server-memory`."),
    after: idField.optional().describe("Only episodes with a higher id than this one."),
    limit: z.number().int().min(1).max(MAX_LIMIT).default(1000),
  }),
  output: z.object({
    source: z.string(),
    items: z.array(
      z.object({
        id: z.string(),
        import_id: z.string().nullable().describe("null if missing in the metadata."),
        import_hash: z.string().nullable().describe("Hash of the imported text."),
        deleted: z.boolean(),
        fact_id: z.string().nullable(),
        superseded: z.boolean(),
      }),
    ),
  }),
  mcp: { interfaces: false },
  rest: false,
  cli: {
    command: "list imported",
    positionals: ["source"],
    example: "cairn list imported server-memory --limit 20",
  },
  async run({ tx }, input) {
    const after = input.after === undefined ? 0 : parseNumberedId(input.after, "episode", "after");
    const rows = await tx
      .select({
        id: episodes.id,
        metadata: episodes.metadata,
        deletedAt: episodes.deletedAt,
        fact: facts.id,
        status: facts.status,
      })
      .from(episodes)
      .leftJoin(facts, eq(facts.episodeId, episodes.id))
      .where(and(eq(episodes.sourceType, `import:${input.source}`), gt(episodes.id, after)))
      .orderBy(asc(episodes.id))
      .limit(input.limit);
    return { source: input.source, items: rows.map(toItem) };
  },
});

function toItem(row: {
  id: number;
  metadata: unknown;
  deletedAt: string | null;
  fact: number | null;
  status: string | null;
}) {
  const note = importNote.safeParse(row.metadata).data;
  return {
    id: episodeId(row.id),
    import_id: note?.import_id ?? null,
    import_hash: note?.import_hash ?? null,
    deleted: row.deletedAt !== null,
    fact_id: row.fact === null ? null : factId(row.fact),
    superseded: row.status === "superseded",
  };
}
