import { eq } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { type ConceptRow, findConcept, requireConcept } from "../concepts/concept.queries.ts";
import { type EpisodeRow, findEpisode, requireEpisode } from "../episodes/episode.queries.ts";
import { facts } from "../facts/fact.table.ts";
import { episodeId, kindOfId } from "../input/item-ids.ts";

export type Subject =
  | { readonly type: "episode"; readonly number: number; readonly row: EpisodeRow }
  | { readonly type: "concept"; readonly number: number; readonly row: ConceptRow };

export function requireSubject(tx: Tx, id: string, field: string): Promise<Subject> {
  return createSubject(tx, id, field, {
    episode: () => requireEpisode(tx, id, field),
    concept: () => requireConcept(tx, id, field),
  });
}

export function findSubject(tx: Tx, id: string, field: string): Promise<Subject> {
  return createSubject(tx, id, field, {
    episode: () => findEpisode(tx, id, field),
    concept: () => findConcept(tx, id, field),
  });
}

async function createEpisodeHint(tx: Tx, id: string, kind: string): Promise<string> {
  if (kind !== "fact") return "";
  const number = Number(id.slice("fact:".length));
  const [fact] = await tx.select({ of: facts.episodeId }).from(facts).where(eq(facts.id, number));
  return fact === undefined ? "" : ` Its episode is ${episodeId(fact.of)}.`;
}

async function createSubject(
  tx: Tx,
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
  const found =
    kind === undefined
      ? ""
      : ` "${id}" is the id of a ${kind}.${await createEpisodeHint(tx, id, kind)}`;
  throw invalidInput(`${field}: must be the id of an episode (ep:1) or of a concept.${found}`);
}
