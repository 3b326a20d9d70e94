import { eq } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadConcept } from "../concepts/concept.queries.ts";
import { concepts } from "../concepts/concept.table.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import { loadFacts } from "../facts/fact.queries.ts";
import { kindOfId } from "../input/item-ids.ts";

/** The current record of an episode, fact or concept; null for anything else and for missing items. */
export async function presentRecord(tx: Tx, id: string): Promise<object | null> {
  const kind = kindOfId(id);
  const number = Number(id.slice(id.indexOf(":") + 1));
  if (kind === "episode") return (await loadEpisodes(tx, [number]))[0] ?? null;
  if (kind === "fact") return (await loadFacts(tx, [number]))[0] ?? null;
  if (kind !== "concept" && kind !== undefined) return null;
  const [row] = await tx
    .select({ number: concepts.id })
    .from(concepts)
    .where(eq(concepts.publicId, id));
  return row === undefined ? null : loadConcept(tx, row.number);
}
