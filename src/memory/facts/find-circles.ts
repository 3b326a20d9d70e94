import { and, asc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { events } from "../events/event.table.ts";
import { facts } from "./fact.table.ts";
import { SUPERSEDED_AT } from "./fact-validity.ts";

/** Fact numbers in which each is superseded by the next and the last by the first. */
export type Circle = readonly number[];

/** Finds a supersession cycle that is reachable from these facts. */
export async function findCircle(tx: Tx, starts: readonly number[]): Promise<Circle | undefined> {
  const successors = new Map<number, number | null>();
  for (const start of starts) {
    const path: number[] = [];
    for (let at: number | null = start; at !== null && !path.includes(at); ) {
      path.push(at);
      const known: number | null | undefined = successors.get(at);
      const next: number | null = known === undefined ? await loadSuccessor(tx, at) : known;
      successors.set(at, next);
      if (next !== null && path.includes(next)) return path.slice(path.indexOf(next));
      at = next;
    }
  }
  return undefined;
}

async function loadSuccessor(tx: Tx, fact: number): Promise<number | null> {
  const [row] = await tx.select({ next: facts.supersededBy }).from(facts).where(eq(facts.id, fact));
  return row?.next ?? null;
}

export async function findCircles(tx: Tx): Promise<Circle[]> {
  const rows = await tx
    .select({ id: facts.id, next: facts.supersededBy })
    .from(facts)
    .where(isNotNull(facts.supersededBy));
  const successors = new Map(rows.map(({ id, next }) => [id, next]));
  const seen = new Set<number>();
  const circles: Circle[] = [];
  for (const { id } of rows) {
    const way = new Map<number, number>();
    let at: number | null | undefined = id;
    while (typeof at === "number" && !seen.has(at)) {
      seen.add(at);
      way.set(at, way.size);
      at = successors.get(at);
    }
    const start = typeof at === "number" ? way.get(at) : undefined;
    if (start !== undefined) circles.push([...way.keys()].slice(start));
  }
  return circles;
}

export async function openCircles(tx: Tx): Promise<void> {
  for (const circle of await findCircles(tx)) {
    const lost = sql<number>`(select count(*) from ${conflicts} where ${and(
      eq(conflicts.status, "resolved"),
      ne(conflicts.winner, facts.id),
      sql`${facts.id} in (${conflicts.factA}, ${conflicts.factB})`,
    )})`;
    const reported = sql<number>`(select count(*) from ${events} where ${and(
      eq(events.kind, "superseded"),
      sql`${events.subjectId} = 'fact:' || ${facts.id}`,
    )}) > 0`;
    const [first] = await tx
      .select({ id: facts.id })
      .from(facts)
      .where(inArray(facts.id, [...circle]))
      .orderBy(asc(reported), asc(lost), asc(SUPERSEDED_AT), asc(facts.id))
      .limit(1);
    if (first === undefined) continue;
    await tx
      .update(facts)
      .set({ status: "active", validTo: null, supersededBy: null, supersededAt: null })
      .where(eq(facts.id, first.id));
  }
}
