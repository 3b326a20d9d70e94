import { requireConcept } from "../../concepts/concept.queries.ts";
import { loadConceptDetail } from "../../concepts/load-concept-detail.ts";
import { defineScope } from "../define-scope.ts";

export const concept = defineScope({
  name: "concept",
  summary: "A concept with its episodes, evidence, lineage and facts",
  argument: { name: "id", form: "<id>", suggests: "concept" },
  narrows: { nothing: "it shows one record" },
  async read({ tx }, id) {
    const detail = await loadConceptDetail(tx, await requireConcept(tx, id, "concept"));
    return { ...detail, superseded_facts: detail.superseded_facts ?? [] };
  },
});
