import { z } from "zod";
import { invalidInput } from "../../../kernel/errors.ts";
import {
  listConceptNumbers,
  loadConcepts,
  requireConcept,
} from "../../concepts/concept.queries.ts";
import { conceptDetail, conceptRecord } from "../../concepts/concept.schema.ts";
import { loadConceptDetail } from "../../concepts/load-concept-detail.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { passing } from "../../filters/filter-condition.ts";
import { endTimeField, idOf, startTimeField } from "../../input/fields.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

export const inspect = defineOperation({
  name: "inspect",
  summary: "List concepts, show one, or list episodes of a date range",
  kind: "read",
  input: z.strictObject({
    concept_id: idOf("concept").optional().describe("Show this concept."),
    show_episodes: z.boolean().default(false).describe("Episodes instead of concepts."),
    limit: limitField.default(10),
    start_date: startTimeField
      .optional()
      .describe("ISO date or datetime, inclusive; episodes only."),
    end_date: endTimeField.optional().describe("ISO date or datetime, inclusive; episodes only."),
  }),
  output: z.object({
    concept: conceptDetail.optional(),
    concepts: z.array(conceptRecord).optional(),
    episodes: z.array(episodeRecord).optional(),
  }),
  mcp: { plainFields: ["concept_id", "limit", "end_date"] },
  rest: { method: "GET", path: "/inspect" },
  cli: { hidden: true, example: "cairn inspect --show-episodes --start-date 2026-01-01" },
  async run(context, input) {
    const { tx } = context;
    const { concept_id: id, start_date: start, end_date: end, limit } = input;
    if (id !== undefined) {
      return { concept: await loadConceptDetail(tx, await requireConcept(tx, id, "concept_id")) };
    }
    if (!input.show_episodes) {
      if (start !== undefined || end !== undefined) {
        throw invalidInput("start_date and end_date: filter episodes; set show_episodes to true");
      }
      return {
        concepts: await loadConcepts(tx, await listConceptNumbers(tx, {}, { limit, offset: 0 })),
      };
    }
    if (start !== undefined && end !== undefined && start > end) {
      throw invalidInput("end_date: must not be before start_date");
    }
    const passes = await passing("episode", context, { since: start, until: end });
    const numbers = await listEpisodeNumbers(tx, { passes }, { limit, offset: 0 });
    return { episodes: await loadEpisodes(tx, numbers) };
  },
});
