import { z } from "zod";
import {
  countEpisodes,
  type EpisodeFilter,
  listEpisodePlaces,
  loadEpisodes,
} from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import {
  filterFieldsFor,
  NOT_OF_DELETED,
  passing,
  withoutText,
} from "../../filters/filter-condition.ts";
import { FILTER_NAMES } from "../../filters/filter-table.ts";
import type { GivenFilter } from "../../filters/resolve-filter.ts";
import { byNumber, defineList, recordList } from "../define-list.ts";
import type { OperationContext } from "../operation-context.ts";
import { type PageOfInput, pagedInput, placedOutput, wholeInput } from "../paging.ts";

const output = z.object({ episodes: z.array(episodeRecord), ...placedOutput });

export const listEpisodes = defineList({
  name: "list_episodes",
  summary: "List episodes, newest first",
  input: z.strictObject({ ...pagedInput, ...filterFieldsFor("episode") }),
  output,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes" },
  cli: {
    command: "list episodes",
    short: { type: "t" },
    example: "cairn list episodes --type decision",
  },
  async list(context, input) {
    const passes = await passing("episode", context, input);
    const type = onlyType(input);
    return episodesWith(context, type === undefined ? { passes } : { type }, input);
  },
  answer: (episodes, numbers) => ({ episodes, ...numbers }),
});

export const listDeletedEpisodes = defineList({
  name: "list_deleted_episodes",
  summary: "List soft-deleted episodes, last deleted first",
  input: z.strictObject({ ...wholeInput, ...withoutText(filterFieldsFor("episode")) }),
  output,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes/deleted" },
  cli: { command: false },
  async list(context, input) {
    const passes = await passing("episode", context, input, NOT_OF_DELETED);
    return episodesWith(context, { deleted: true, passes }, input);
  },
  answer: (episodes, numbers) => ({ episodes, ...numbers }),
});

function onlyType(input: GivenFilter & { readonly type?: readonly string[] | undefined }) {
  const values = FILTER_NAMES.filter((name) => input[name] !== undefined);
  const [type, additional] = input.type ?? [];
  return values.length === 1 && additional === undefined ? type : undefined;
}

function episodesWith({ tx }: OperationContext, filter: EpisodeFilter, page: PageOfInput) {
  return recordList({
    order: filter.deleted === true ? "deleted_episodes" : "episodes",
    page,
    places: (part) => listEpisodePlaces(tx, filter, part),
    count: () => countEpisodes(tx, filter),
    load: byNumber(loadEpisodes),
  });
}
