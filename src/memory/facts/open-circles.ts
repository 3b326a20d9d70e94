import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { events } from "../events/event.table.ts";
import { facts } from "./fact.table.ts";
import { SUPERSEDED_AT } from "./fact-held.ts";
import { findCircles } from "./find-circles.ts";

export async function openCircles(tx: Tx): Promise<void> {
  for (const circle of await findCircles(tx)) {
    const lost = sql<number>`(select count(*) from ${conflicts} where ${and(
      eq(conflicts.status, "resolved"),
      ne(conflicts.winner, facts.id),
      sql`${facts.id} in (${conflicts.factA}, ${conflicts.factB})`,
    )})`;
    const told = sql<number>`(select count(*) from ${events} where ${and(
      eq(events.kind, "superseded"),
      sql`${events.subjectId} = 'fact:' || ${facts.id}`,
    )}) > 0`;
    const [first] = await tx
      .select({ id: facts.id })
      .from(facts)
      .where(inArray(facts.id, [...circle]))
      .orderBy(asc(told), asc(lost), asc(SUPERSEDED_AT), asc(facts.id))
      .limit(1);
    if (first === undefined) continue;
    await tx
      .update(facts)
      .set({ status: "active", validTo: null, supersededBy: null, supersededAt: null })
      .where(eq(facts.id, first.id));
  }
}
