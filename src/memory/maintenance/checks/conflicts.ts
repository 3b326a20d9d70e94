import { sql } from "drizzle-orm";
import { scalarMax, scalarMin } from "../../../database/index.ts";
import { createRowProblem } from "../../context/problem.ts";
import type { Check } from "../check.ts";

const [A, B] = [sql`fact_a`, sql`fact_b`];
const PAIR_KEY = sql`${scalarMin(A, B)} || ':' || ${scalarMax(A, B)}`;

export const conflicts: Check = {
  name: "conflicts",
  about: "each conflict is consistently open, resolved or dismissed",
  find: async (tx) => [
    ...(await createRowProblem(
      tx,
      "Conflicts have an incorrect fact pair.",
      sql`select 'conflict:' || id as item from conflicts where pair <> ${PAIR_KEY}`,
    )),
    ...(await createRowProblem(
      tx,
      "Resolved conflicts lack a winner, or unresolved ones have one.",
      sql`select 'conflict:' || id as item from conflicts where (status = 'resolved') <> (winner is not null) or winner not in (fact_a, fact_b)`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Conflicts are closed without a time, or open with one.",
      sql`select 'conflict:' || id as item from conflicts where (status = 'open') <> (resolved_at is null)`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Conflicts are open between facts of which one supersedes the other.",
      sql`select 'conflict:' || conflicts.id as item from conflicts join facts on facts.id in (fact_a, fact_b) where conflicts.status = 'open' and facts.superseded_by in (fact_a, fact_b)`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Conflicts are resolved, but the losing fact is still active.",
      sql`select 'conflict:' || conflicts.id as item from conflicts join facts on facts.id in (fact_a, fact_b) and facts.id <> winner where conflicts.status = 'resolved' and facts.status = 'active'`,
      false,
    )),
  ],
  async fix(tx) {
    await tx.run(sql`update conflicts set pair = ${PAIR_KEY}`);
  },
};
