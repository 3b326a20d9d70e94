import type { Tx } from "../../database/index.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { type ConceptRow, findConcept, requireConcept } from "../concepts/concept.queries.ts";
import { type EpisodeRow, findEpisode, requireEpisode } from "../episodes/episode.queries.ts";
import { kindOfId } from "../input/item-ids.ts";

/** An episode or a concept, whichever an id names. */
export type Subject =
  | { readonly type: "episode"; readonly number: number; readonly row: EpisodeRow }
  | { readonly type: "concept"; readonly number: number; readonly row: ConceptRow };

/** The active episode or concept with this id. */
export function requireSubject(tx: Tx, id: string, field: string): Promise<Subject> {
  return subjectWith(id, field, {
    episode: () => requireEpisode(tx, id, field),
    concept: () => requireConcept(tx, id, field),
  });
}

/** The episode or concept with this id, deleted or not. */
export function findSubject(tx: Tx, id: string, field: string): Promise<Subject> {
  return subjectWith(id, field, {
    episode: () => findEpisode(tx, id, field),
    concept: () => findConcept(tx, id, field),
  });
}

async function subjectWith(
  id: string,
  field: string,
  load: { episode: () => Promise<EpisodeRow>; concept: () => Promise<ConceptRow> },
): Promise<Subject> {
  const kind = kindOfId(id);
  if (kind === "episode") {
    const row = await load.episode();
    return { type: kind, number: row.id, row };
  }
  if (kind === "concept") {
    const row = await load.concept();
    return { type: kind, number: row.id, row };
  }
  const found = kind === undefined ? "" : ` "${id}" is the id of a ${kind}.`;
  throw invalidInput(`${field}: must be the id of an episode (ep:1) or of a concept.${found}`);
}
