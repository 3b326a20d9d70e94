import { countOmitted, loadList, onceRead, takeShown } from "../../context/sliced-list.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { countArgument, defineScope } from "../define-scope.ts";

export const pending = defineScope({
  name: "pending",
  summary: "Episodes that are not reviewed yet, with their entities; the n newest, or all",
  argument: countArgument("pending", { name: "n", optional: true }, 1),
  narrows: "records",
  async read(context, argument, _prepared, { passing }) {
    const all = await listEpisodeNumbers(context.tx, {
      pending: true,
      passes: passing?.("episode"),
    });
    const wish = argument === "" ? context : { ...context, options: { most: Number(argument) } };
    const entities = new Set<string>();
    const episodes = await loadList(context, takeShown(wish, all), async (tx, numbers) => {
      const records = await loadEpisodes(tx, numbers);
      for (const record of records) for (const entity of record.entities) entities.add(entity);
      return records;
    });
    return {
      count: all.length,
      episodes,
      entities: onceRead(episodes, () => [...entities]),
      ...countOmitted(wish, all),
    };
  },
});
