import { together } from "../../../kernel/together.ts";
import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { omittedOf, shownOf, wholeList } from "../../context/whole-list.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { passing } from "../../filters/filter-condition.ts";
import { parseLabel } from "../../input/parse-labels.ts";
import { defineScope } from "../define-scope.ts";

/** Everything that carries the label. */
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
  async read(context, argument) {
    const { tx } = context;
    const wanted = parseLabel(argument);
    const given = { labels: [wanted] };
    const [ofEpisodes, ofConcepts] = await together(
      passing("episode", context, given),
      passing("concept", context, given),
    );
    const [episodes, concepts] = await together(
      listEpisodeNumbers(tx, { passes: ofEpisodes }),
      listConceptNumbers(tx, { passes: ofConcepts }),
    );
    const [remembered, known] = await together(
      wholeList(context, shownOf(context, episodes), loadEpisodes),
      wholeList(context, shownOf(context, concepts), loadConcepts),
    );
    return {
      ...wanted,
      count: episodes.length + concepts.length,
      episodes: remembered,
      concepts: known,
      ...omittedOf(context, episodes, concepts),
    };
  },
});
