import { z } from "zod";
import {
  countEpisodes,
  type EpisodeFilter,
  listEpisodePositions,
  loadEpisode,
  loadEpisodes,
  requireEpisode,
} from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { BUILT_IN_EPISODE_TYPES } from "../../episodes/episode-types.ts";
import {
  createPredicate,
  NOT_OF_DELETED,
  removeText,
  selectFilterFields,
} from "../../filters/filter-condition.ts";
import { FILTER_NAMES } from "../../filters/filter-table.ts";
import type { FilterInput } from "../../filters/resolve-filter.ts";
import { idOf } from "../../input/fields.ts";
import { createRecordList, defineList, listByNumber } from "../define-list.ts";
import { defineOperation } from "../define-operation.ts";
import { defineRecord } from "../define-record.ts";
import type { OperationContext } from "../operation-context.ts";
import { type PageOfInput, pagedInput, placedOutput, wholeListInput } from "../paging.ts";

export const episodeTypes = defineOperation({
  name: "episode_types",
  summary: "List the built-in and the custom episode types",
  kind: "read",
  input: z.strictObject({}),
  output: z.object({
    episode_types: z.array(z.string()),
    built_in: z.array(z.string()),
    custom: z.array(z.string()),
  }),
  rest: false,
  cli: { command: "list types", example: "cairn list types" },
  async run(context) {
    const builtIn: readonly string[] = BUILT_IN_EPISODE_TYPES;
    return {
      episode_types: [...context.episodeTypes],
      built_in: [...builtIn],
      custom: context.episodeTypes.filter((type) => !builtIn.includes(type)),
    };
  },
});

export const getEpisode = defineRecord({
  name: "get_episode",
  summary: "Show an episode",
  target: "episode_id",
  input: z.strictObject({ episode_id: idOf("episode") }),
  output: episodeRecord,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes/{episode_id}" },
  cli: { command: false, example: "cairn show ep:1" },
  of: "episode_id",
  find: requireEpisode,
  show: (tx, { id }) => loadEpisode(tx, id),
});

const output = z.object({ episodes: z.array(episodeRecord), ...placedOutput });

export const listEpisodes = defineList({
  name: "list_episodes",
  summary: "List episodes, newest first",
  input: z.strictObject({ ...pagedInput, ...selectFilterFields("episode") }),
  output,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes" },
  cli: {
    command: "list episodes",
    short: { type: "t" },
    example: "cairn list episodes --type decision",
  },
  async list(context, input) {
    const passes = await createPredicate("episode", context, input);
    const type = singleType(input);
    return loadEpisodeList(context, type === undefined ? { passes } : { type }, input);
  },
  answer: (episodes, numbers) => ({ episodes, ...numbers }),
});

export const listDeletedEpisodes = defineList({
  name: "list_deleted_episodes",
  summary: "List soft-deleted episodes, last deleted first",
  input: z.strictObject({ ...wholeListInput, ...removeText(selectFilterFields("episode")) }),
  output,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes/deleted" },
  cli: { command: false },
  async list(context, input) {
    const passes = await createPredicate("episode", context, input, NOT_OF_DELETED);
    return loadEpisodeList(context, { deleted: true, passes }, input);
  },
  answer: (episodes, numbers) => ({ episodes, ...numbers }),
});

function singleType(input: FilterInput & { readonly type?: readonly string[] | undefined }) {
  const values = FILTER_NAMES.filter((name) => input[name] !== undefined);
  const [type, additional] = input.type ?? [];
  return values.length === 1 && additional === undefined ? type : undefined;
}

function loadEpisodeList({ tx }: OperationContext, filter: EpisodeFilter, page: PageOfInput) {
  return createRecordList({
    order: filter.deleted === true ? "deleted_episodes" : "episodes",
    page,
    positions: (part) => listEpisodePositions(tx, filter, part),
    count: () => countEpisodes(tx, filter),
    load: listByNumber(loadEpisodes),
  });
}
