import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
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
  async read({ tx }, argument) {
    const wanted = parseLabel(argument);
    const filter = { labels: [wanted] };
    const episodes = await loadEpisodes(tx, await listEpisodeNumbers(tx, filter));
    const concepts = await loadConcepts(tx, await listConceptNumbers(tx, filter));
    return { ...wanted, count: episodes.length + concepts.length, episodes, concepts };
  },
});
