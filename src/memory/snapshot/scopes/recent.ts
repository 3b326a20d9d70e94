import { wholeList } from "../../context/whole-list.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { countArgument } from "../count-argument.ts";
import { defineScope } from "../define-scope.ts";

/** The n newest episodes. */
export const recent = defineScope({
  name: "recent",
  summary: "The newest episodes",
  argument: countArgument("recent", { name: "n" }, 1),
  async read(context, argument) {
    const { tx } = context;
    const numbers = await listEpisodeNumbers(tx, {}, { limit: Number(argument || "1"), offset: 0 });
    return { count: numbers.length, episodes: await wholeList(context, numbers, loadEpisodes) };
  },
});
