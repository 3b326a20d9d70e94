import type { IdKind } from "../shared/fields.ts";

/** Help texts of fields whose schema has no description. */
const WORDS: Readonly<Record<string, string>> = {
  action: "what to do with them",
  cluster_id: "id of a cluster of facts",
  concept: "id of the concept",
  concept_id: "id of the concept",
  conflict_id: "id of the conflict, e.g. conflict:1",
  content: "the new text",
  context: "evidence of the relation",
  description: "summary in one sentence",
  entities: "entities, e.g. tool:redis,person:Ada",
  entity_id: "an entity, e.g. tool:redis",
  entity_type: "only entities of this type, e.g. person",
  episode: "id of the episode, e.g. ep:3",
  episode_id: "id of the episode, e.g. ep:3",
  episode_type: "its type, e.g. decision",
  fact_a: "id of one fact, e.g. fact:3",
  fact_b: "id of the other, e.g. fact:4",
  fact_id: "id of the fact, e.g. fact:3",
  from: "id of the source concept",
  id: "id of the item, e.g. ep:3",
  k: "maximum number",
  key: "key of the label",
  kind: "only of this kind",
  labels: "labels, e.g. area=payments,status=done",
  limit: "maximum number",
  name: "its name",
  note: "why, in a sentence",
  occurred_at: "when it happened: an ISO date or time",
  page: "which page, from 1",
  prefix: "prefix of the value",
  reason: "why, in a sentence",
  relations: "relations to other concepts, as JSON",
  session: "only of this session",
  severity: "severity",
  show_relations: "with relations to other entities",
  status: "only of this status",
  strength: "how strong it is, from 0 to 1",
  subject_type: "only labels of episodes, or of concepts",
  summary: "text in a few sentences",
  tags: "keywords, separated by commas",
  title: "its title",
  to: "id of the target concept",
  topic: "id or name of the topic",
  topic_id: "id of the topic",
  value: "value of the label",
};

const OF_CONCEPT: Readonly<Record<string, string>> = { id: "id of the concept" };

export function fieldWords(name: string, names: IdKind | undefined): string {
  return (names === "concept" ? OF_CONCEPT[name] : undefined) ?? WORDS[name] ?? "";
}
