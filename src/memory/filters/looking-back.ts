import { type SQL, sql } from "drizzle-orm";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import { factHeld } from "../facts/fact-held.ts";
import type { BoundValues } from "./define-filter.ts";
import { onEachKind } from "./narrowing.ts";

/** What had happened by then, and of facts and their episodes what held. */
export const heldThen = onEachKind((columns, kind) => (bound) => {
  const [asOf, knownAt] = [
    bound.one("at"),
    bound.form === "known" ? bound.one("known") : undefined,
  ];
  if (kind === "fact") return factHeld({ asOf, knownAt });
  const happened = sql`${columns.at} <= ${asOf}`;
  return kind === "episode" ? ofEpisodes(happened, factHeld({ asOf, knownAt })) : happened;
});

/** What had been written by then, and of facts and their episodes what was believed to hold. */
export const knownThen = onEachKind((columns, kind) => (bound: BoundValues) => {
  const knownAt = bound.one("at");
  const written = sql`${columns.written} <= ${knownAt}`;
  // Where a time is asked for as well, `heldThen` looks at the facts.
  if (bound.form !== "alone") return written;
  if (kind === "fact") return factHeld({ knownAt });
  return kind === "episode" ? ofEpisodes(written, factHeld({ knownAt })) : written;
});

function ofEpisodes(condition: SQL, held: SQL): SQL {
  return sql`${condition} and not exists (select 1 from ${facts} where ${facts.episodeId} = ${episodes.id} and not ${held})`;
}
