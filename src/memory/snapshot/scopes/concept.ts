import { requireConcept } from "../../concepts/concept.queries.ts";
import { loadConceptDetail } from "../../concepts/load-concept-detail.ts";
import type { ScopeReader } from "../scope.ts";

/** A concept in full; `superseded_facts` is there for every concept. */
export const concept: ScopeReader = async ({ tx }, id = "") => {
  const detail = await loadConceptDetail(tx, await requireConcept(tx, id, "concept"));
  return { ...detail, superseded_facts: detail.superseded_facts ?? [] };
};
