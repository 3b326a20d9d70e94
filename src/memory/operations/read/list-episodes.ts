import { z } from "zod";
import { wholeList } from "../../context/whole-list.ts";
import { countEpisodes } from "../../episodes/count-episodes.ts";
import {
  type EpisodeFilter,
  listEpisodePlaces,
  loadEpisodes,
} from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { passing } from "../../filters/filter-condition.ts";
import { filterFieldsFor, withoutText } from "../../filters/filter-fields.ts";
import { FILTER_NAMES } from "../../filters/filter-table.ts";
import type { GivenFilter } from "../../filters/resolve-filter.ts";
import { defineOperation } from "../define-operation.ts";
import type { OperationContext } from "../operation-context.ts";
import {
  listNumbers,
  type PageOfInput,
  pagedInput,
  placedOutput,
  placesOf,
  wholeInput,
} from "../paging.ts";

export const listEpisodes = defineOperation({
  name: "list_episodes",
  summary: "List episodes, newest first",
  kind: "read",
  input: z.strictObject({ ...pagedInput, ...filterFieldsFor("episode") }),
  output: z.object({ episodes: z.array(episodeRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes" },
  cli: {
    command: "episodes",
    hidden: true,
    noun: "episodes",
    short: { type: "t" },
    example: "cairn episodes --type decision",
  },
  async run(context, input) {
    const passes = await passing("episode", context, input);
    const type = onlyType(input);
    return page(context, type === undefined ? { passes } : { type }, input);
  },
});

export const listDeletedEpisodes = defineOperation({
  name: "list_deleted_episodes",
  summary: "List soft-deleted episodes, last deleted first",
  kind: "read",
  input: z.strictObject({ ...wholeInput, ...withoutText(filterFieldsFor("episode")) }),
  output: z.object({ episodes: z.array(episodeRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes/deleted" },
  cli: { command: false },
  async run(context, input) {
    const passes = await passing("episode", context, input);
    return page(context, { deleted: true, passes }, input);
  },
});

/** The one type that is asked for and nothing else: how many there are is counted already. */
function onlyType(input: GivenFilter & { readonly type?: readonly string[] | undefined }) {
  const given = FILTER_NAMES.filter((name) => input[name] !== undefined);
  const [type, further] = input.type ?? [];
  return given.length === 1 && further === undefined ? type : undefined;
}

async function page(context: OperationContext, filter: EpisodeFilter, input: PageOfInput) {
  const { tx, options } = context;
  const { places, next } = await placesOf(input, options, {
    order: filter.deleted === true ? "deleted_episodes" : "episodes",
    load: (part) => listEpisodePlaces(tx, filter, part),
  });
  const numbers = places.map(([, number]) => number);
  const total = await countEpisodes(tx, filter);
  return {
    episodes: await wholeList(context, numbers, loadEpisodes),
    ...listNumbers(input, total, options),
    ...next,
  };
}
