import { inArray, or, type SQL, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { episodes } from "../episodes/episode.table.ts";
import { CLAIMING_TYPES } from "../episodes/episode-types.ts";
import { facts } from "../facts/fact.table.ts";
import { kindOfId, parseNumberedId } from "../input/item-ids.ts";
import type { Wordings } from "../language/wordings.ts";
import { type ActiveClaim, loadActiveEpisodes } from "./active-episodes.ts";

const MAX_COMPARED = 400;
const MAX_WORDS = 24;

export async function loadActiveClaims(
  tx: Tx,
  { text, shown, wordings }: { text: string; shown: readonly number[]; wordings: Wordings },
): Promise<ActiveClaim[]> {
  const words = [...new Set(wordings.words(text).map(trimSuffix))].slice(0, MAX_WORDS);
  const lower = sql`lower(${episodes.content})`;
  const meets: SQL[] = words.map((word) => contains(lower, sql`${word}`));
  if (shown.length > 0) meets.push(inArray(episodes.id, [...shown]));
  if (meets.length === 0) return [];
  return loadActiveEpisodes(tx, {
    types: CLAIMING_TYPES,
    where: or(...meets),
    limit: MAX_COMPARED,
  });
}

function trimSuffix(word: string): string {
  return word.replace(/(?<=\p{L}{3})i$/u, "");
}

/** Resolves ids of episodes and facts to episodes. */
export async function episodesShown(tx: Tx, ids: readonly string[]): Promise<number[]> {
  const named = (kind: "episode" | "fact") =>
    ids.filter((id) => kindOfId(id) === kind).map((id) => parseNumberedId(id, kind, "shown"));
  const claimed = named("fact");
  if (claimed.length === 0) return named("episode");
  const rows = await tx
    .select({ id: facts.episodeId })
    .from(facts)
    .where(inArray(facts.id, claimed));
  return [...named("episode"), ...rows.map(({ id }) => id)];
}
