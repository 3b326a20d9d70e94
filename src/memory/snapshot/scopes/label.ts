import { settleAll } from "../../../shared/async.ts";
import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { countOmitted, loadList, takeShown } from "../../context/sliced-list.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { NO_FILTER, toPassing } from "../../filters/filter-condition.ts";
import { resolveFilter } from "../../filters/resolve-filter.ts";
import { parseLabel } from "../../input/parse-labels.ts";
import { defineScope } from "../define-scope.ts";

export const label = defineScope({
  name: "label",
  summary: "Everything that carries a label (key=value)",
  argument: {
    name: "label",
    form: "<key>=<value>",
    suggests: "label",
    check: (text) => void parseLabel(text),
    runsOnUntil: "commaOrSpace",
  },
  narrows: "records",
  async read(context, argument, _prepared, filter) {
    const { tx } = context;
    const requested = parseLabel(argument);
    const carries = await resolveFilter(context, { ...NO_FILTER, labels: [requested] });
    const passing = toPassing([...carries, ...filter.parts]);
    const [episodes, concepts] = await settleAll(
      listEpisodeNumbers(tx, { passes: passing?.("episode") }),
      listConceptNumbers(tx, { passes: passing?.("concept") }),
    );
    const [remembered, known] = await settleAll(
      loadList(context, takeShown(context, episodes), loadEpisodes),
      loadList(context, takeShown(context, concepts), loadConcepts),
    );
    return {
      ...requested,
      count: episodes.length + concepts.length,
      episodes: remembered,
      concepts: known,
      ...countOmitted(context, episodes, concepts),
    };
  },
});
