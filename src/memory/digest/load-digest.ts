import {
  and,
  countDistinct,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lte,
  max,
  type SQL,
} from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { changes } from "../events/change.table.ts";
import { type EventKind, events } from "../events/event.table.ts";
import { changeId } from "../input/item-ids.ts";
import { textOfItems } from "../listing/text-of-items.ts";
import { DIGEST_PARTS, type DigestOfAuthor, type DigestPart } from "./digest.schema.ts";

/** What each kind of event means to whoever was away; what only keeps the books is left out. */
const KINDS: Readonly<Record<DigestPart, readonly EventKind[]>> = {
  learned: ["remembered", "concept_created", "learned", "accepted"],
  changed: [
    ...(["superseded", "updated", "labeled", "unlabeled", "restored"] as const),
    ...(["conflict_resolved", "conflict_dismissed"] as const),
  ],
  contradicted: ["conflict_opened"],
  forgotten: ["deleted"],
};

export interface DigestRequest {
  readonly since: string;
  readonly until: string;
  /** Items of each part of each author that are named. */
  readonly most: number;
}

/** What became of memory in a time, by author, the busiest first; what was undone did not happen. */
export async function loadDigest(tx: Tx, request: DigestRequest): Promise<DigestOfAuthor[]> {
  const then = and(
    gte(changes.ts, request.since),
    lte(changes.ts, request.until),
    isNull(changes.undoneBy),
    isNull(changes.undoOf),
  );
  const authors = await tx
    .select({ author: changes.author, changes: countDistinct(changes.id) })
    .from(changes)
    .innerJoin(events, eq(events.changeId, changes.id))
    .where(
      and(
        then,
        inArray(
          events.kind,
          DIGEST_PARTS.flatMap((name) => KINDS[name]),
        ),
      ),
    )
    .groupBy(changes.author)
    .orderBy(desc(countDistinct(changes.id)), changes.author)
    .limit(MOST_AUTHORS);
  const digests: DigestOfAuthor[] = [];
  for (const { author, changes: count } of authors) {
    const ofAuthor = and(then, eq(changes.author, author));
    const part = (name: DigestPart) =>
      loadPart(tx, and(ofAuthor, inArray(events.kind, [...KINDS[name]])), request.most);
    digests.push({
      author,
      changes: Number(count),
      learned: await part("learned"),
      changed: await part("changed"),
      contradicted: await part("contradicted"),
      forgotten: await part("forgotten"),
    });
  }
  return digests;
}

const MOST_AUTHORS = 50;

async function loadPart(
  tx: Tx,
  where: SQL | undefined,
  most: number,
): Promise<DigestOfAuthor[DigestPart]> {
  const [total] = await tx
    .select({ count: countDistinct(events.subjectId) })
    .from(events)
    .innerJoin(changes, eq(changes.id, events.changeId))
    .where(where);
  const last = max(events.seq);
  const rows = await tx
    .select({ id: events.subjectId, change: max(changes.id), at: max(changes.ts) })
    .from(events)
    .innerJoin(changes, eq(changes.id, events.changeId))
    .where(where)
    .groupBy(events.subjectId)
    .orderBy(desc(last))
    .limit(most);
  const texts = await textOfItems(
    tx,
    rows.map(({ id }) => id),
  );
  return {
    count: Number(total?.count ?? 0),
    items: rows.map(({ id, change, at }) => ({
      id,
      type: texts.get(id)?.type ?? null,
      text: texts.get(id)?.text ?? null,
      change: changeId(Number(change)),
      at: at ?? "",
    })),
  };
}
