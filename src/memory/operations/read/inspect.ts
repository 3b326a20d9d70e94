import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import {
  listConceptNumbers,
  loadConcepts,
  requireConcept,
} from "../../concepts/concept.queries.ts";
import { conceptDetail, conceptRecord } from "../../concepts/concept.schema.ts";
import { loadConceptDetail } from "../../concepts/load-concept-detail.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { createPredicate, filterFields, removeText } from "../../filters/filter-condition.ts";
import type { FilterInput } from "../../filters/resolve-filter.ts";
import { endTimeField, idOf, startTimeField } from "../../input/fields.ts";
import { createFormFunctions } from "../define-form.ts";
import { limitField } from "../paging.ts";

type Kind = "episode" | "concept";

interface NewestOf {
  readonly kinds: readonly Kind[];
  readonly filter: FilterInput;
  readonly deleted?: true;
  readonly limit: number;
}

const inspected = z.object({
  concept: conceptDetail.optional(),
  concepts: z.array(conceptRecord).optional(),
  episodes: z.array(episodeRecord).optional(),
});

const inspecting = createFormFunctions<
  { readonly concept: string } | NewestOf,
  z.output<typeof inspected>
>({
  name: "inspect",
  kind: "read",
  async run(context, request) {
    const { tx } = context;
    if ("concept" in request) {
      const row = await requireConcept(tx, request.concept, "concept_id");
      return { concept: await loadConceptDetail(tx, row) };
    }
    const { kinds, filter, deleted, limit } = request;
    const page = { limit, offset: 0 };
    const of = async (kind: Kind) => ({
      deleted,
      passes: await createPredicate(kind, context, filter),
    });
    return {
      ...(kinds.includes("episode") && {
        episodes: await loadEpisodes(tx, await listEpisodeNumbers(tx, await of("episode"), page)),
      }),
      ...(kinds.includes("concept") && {
        concepts: await loadConcepts(tx, await listConceptNumbers(tx, await of("concept"), page)),
      }),
    };
  },
});

export const inspect = inspecting({
  name: "inspect",
  summary: "List concepts, show one, or list episodes of a date range",
  input: z.strictObject({
    concept_id: idOf("concept").optional().describe("Show this concept."),
    show_episodes: z.boolean().default(false).describe("Episodes instead of concepts."),
    limit: limitField.default(10),
    start_date: startTimeField
      .optional()
      .describe("ISO date or datetime, inclusive; episodes only."),
    end_date: endTimeField.optional().describe("ISO date or datetime, inclusive; episodes only."),
  }),
  output: inspected,
  mcp: { plainFields: ["concept_id", "limit", "end_date"] },
  rest: false,
  cli: { command: false, example: "cairn list concepts" },
  bind({ concept_id: concept, show_episodes: ofEpisodes, limit, ...dates }) {
    const { start_date: since, end_date: until } = dates;
    if (concept !== undefined) return { concept };
    if (!ofEpisodes) {
      if (since !== undefined || until !== undefined) {
        throw invalidInput("start_date and end_date: filter episodes; set show_episodes to true");
      }
      return { kinds: ["concept"], filter: {}, limit };
    }
    if (since !== undefined && until !== undefined && since > until) {
      throw invalidInput("end_date: must not be before start_date");
    }
    return { kinds: ["episode"], filter: { since, until }, limit };
  },
});

const filters = removeText(filterFields);

export const listDeleted = inspecting({
  name: "list_deleted",
  summary: "List soft-deleted episodes and concepts, last deleted first",
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
  rest: false,
  cli: {
    command: "list deleted",
    example: "cairn list deleted --item-type episodes",
  },
  bind: ({ item_type: only, limit, ...filter }) => ({
    kinds:
      only === undefined ? ["episode", "concept"] : [only === "episodes" ? "episode" : "concept"],
    filter,
    deleted: true,
    limit,
  }),
});
