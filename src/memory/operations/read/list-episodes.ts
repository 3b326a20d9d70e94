import { z } from "zod";
import { wholeList } from "../../context/whole-list.ts";
import { countEpisodes } from "../../episodes/count-episodes.ts";
import {
  type EpisodeFilter,
  holdsEpisodeType,
  listEpisodePlaces,
  loadEpisodes,
} from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { checkEpisodeType } from "../../episodes/remember-episode.ts";
import { labelFilterField, nameField } from "../../input/fields.ts";
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
  input: z.strictObject({
    ...pagedInput,
    type: nameField.optional().describe("Only episodes of this type."),
    labels: labelFilterField.optional().describe("Only episodes that carry all of these."),
  }),
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
    if (input.type !== undefined) await checkTypeFilter(context, input.type);
    return page(context, { type: input.type, labels: input.labels }, input);
  },
});

export const listDeletedEpisodes = defineOperation({
  name: "list_deleted_episodes",
  summary: "List soft-deleted episodes, last deleted first",
  kind: "read",
  input: z.strictObject(wholeInput),
  output: z.object({ episodes: z.array(episodeRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes/deleted" },
  cli: { command: false },
  async run(context, input) {
    return page(context, { deleted: true }, input);
  },
});

/** What the database holds can be asked for, whether or not this process would write it. */
async function checkTypeFilter(context: OperationContext, type: string): Promise<void> {
  if (!(await holdsEpisodeType(context.tx, type))) checkEpisodeType(context, type);
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
