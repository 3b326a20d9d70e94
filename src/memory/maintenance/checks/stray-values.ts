import { type SQL, sql } from "drizzle-orm";
import { isNotNumber, isNotTime } from "../../../database/index.ts";
import { type Problem, problemOfRows } from "../../context/problem.ts";
import type { Check } from "../check.ts";

const RULES: readonly (readonly [problem: string, select: SQL])[] = [
  [
    "Values that must be JSON are invalid.",
    sql`select 'ep:' || id || ' metadata' as item from episodes where metadata is not null and not json_valid(metadata)
      union all select public_id || ' tags' from concepts where not json_valid(tags)
      union all select 'event ' || seq || ' payload' from events where payload is not null and not json_valid(payload)`,
  ],
  [
    "Facts have no valid start, or end before it.",
    sql`select 'fact:' || id as item from facts where ${isNotTime(sql`valid_from`)} or (valid_to is not null and (${isNotTime(sql`valid_to`)} or valid_to < valid_from))`,
  ],
  [
    "Confidence is not between 0 and 1.",
    sql`select public_id as item from concepts where ${isNotNumber(sql`confidence`)} or confidence not between 0 and 1`,
  ],
  [
    "Entities exist twice.",
    sql`select min(type) || ':' || min(name) as item from entities group by type, key having count(*) > 1`,
  ],
  [
    "The feed records the creation of episodes more than once.",
    sql`select subject_id as item from events where kind = 'remembered' group by subject_id having count(*) > 1`,
  ],
];

export const stray: Check = {
  name: "values",
  about: "every value has a valid form",
  async find(tx) {
    const problems: Problem[] = [];
    for (const [problem, select] of RULES) {
      problems.push(...(await problemOfRows(tx, problem, select, false)));
    }
    return problems;
  },
};
