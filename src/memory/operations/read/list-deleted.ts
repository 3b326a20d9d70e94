import { z } from "zod";
import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { passing } from "../../filters/filter-condition.ts";
import { filterFields, withoutText } from "../../filters/filter-fields.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

const filters = withoutText(filterFields);

export const listDeleted = defineOperation({
  name: "list_deleted",
  summary: "List soft-deleted episodes and concepts, last deleted first",
  kind: "read",
  input: z.strictObject({
    item_type: z.enum(["episodes", "concepts"]).optional().describe("Default: both."),
    ...filters,
    limit: limitField.default(20).describe("For each type."),
  }),
  output: z.object({
    episodes: z.array(episodeRecord).optional(),
    concepts: z.array(conceptRecord).optional(),
  }),
  mcp: { fieldsOfPrograms: Object.keys(filters) },
  rest: { method: "GET", path: "/deleted" },
  cli: {
    command: "deleted",
    hidden: true,
    noun: "deleted",
    example: "cairn deleted --item-type episodes",
  },
  async run(context, input) {
    const { tx } = context;
    const ofKind = async (kind: "episode" | "concept") =>
      ({ deleted: true, passes: await passing(kind, context, input) }) as const;
    const page = { limit: input.limit, offset: 0 };
    return {
      ...(input.item_type !== "concepts" && {
        episodes: await loadEpisodes(
          tx,
          await listEpisodeNumbers(tx, await ofKind("episode"), page),
        ),
      }),
      ...(input.item_type !== "episodes" && {
        concepts: await loadConcepts(
          tx,
          await listConceptNumbers(tx, await ofKind("concept"), page),
        ),
      }),
    };
  },
});
