import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { episodes } from "../episodes/episode.table.ts";
import { CLAIMING_TYPES } from "../episodes/episode-types.ts";
import { facts } from "../facts/fact.table.ts";
import { kindOfId, parseNumberedId } from "../input/item-ids.ts";
import type { Wordings } from "./wording.ts";

/** The newest of those that share a word. */
const MOST_COMPARED = 400;
const MOST_WORDS = 24;

/** Something that holds, as far as the memory knows. */
export interface Held {
  readonly number: number;
  readonly content: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** When it was said. */
  readonly at: string;
}

/** What holds and has a word in common with a text, or was shown. */
export async function heldClaims(
  tx: Tx,
  { text, shown, wordings }: { text: string; shown: readonly number[]; wordings: Wordings },
): Promise<Held[]> {
  const words = [...new Set(wordings.words(text).map(beginningOf))].slice(0, MOST_WORDS);
  const lower = sql`lower(${episodes.content})`;
  const meets: SQL[] = words.map((word) => contains(lower, sql`${word}`));
  if (shown.length > 0) meets.push(inArray(episodes.id, [...shown]));
  if (meets.length === 0) return [];
  const rows = await tx
    .select({ episode: episodes })
    .from(episodes)
    .leftJoin(facts, eq(facts.episodeId, episodes.id))
    .where(
      and(
        isNull(episodes.deletedAt),
        inArray(episodes.episodeType, [...CLAIMING_TYPES]),
        or(isNull(facts.id), eq(facts.status, "active")),
        or(...meets),
      ),
    )
    .orderBy(desc(episodes.id))
    .limit(MOST_COMPARED);
  return rows.map(({ episode }) => ({
    number: episode.id,
    content: episode.content,
    type: episode.episodeType,
    metadata: episode.metadata,
    at: episode.occurredAt ?? episode.createdAt,
  }));
}

/** As much of a word as all its forms have. */
function beginningOf(word: string): string {
  return word.replace(/(?<=\p{L}{3})i$/u, "");
}

/** The episodes that these ids name, by themselves or by what they claim. */
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
