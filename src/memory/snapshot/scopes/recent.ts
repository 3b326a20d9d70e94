import { loadList } from "../../context/sliced-list.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { countArgument, defineScope } from "../define-scope.ts";

export const recent = defineScope({
  name: "recent",
  summary: "The newest episodes",
  argument: countArgument("recent", { name: "n" }, 1),
  narrows: "records",
  async read(context, argument, _prepared, { passing }) {
    const { tx } = context;
    const page = { limit: Number(argument || "1"), offset: 0 };
    const numbers = await listEpisodeNumbers(tx, { passes: passing?.("episode") }, page);
    return { count: numbers.length, episodes: await loadList(context, numbers, loadEpisodes) };
  },
});
