import { type SQL, sql } from "drizzle-orm";
import {
  catchUpNumbers,
  firstJsonItem,
  highestNumberUsed,
  jsonMember,
  type Tx,
} from "../../../database/index.ts";
import { createProblem, createRowProblem, type Problem } from "../../context/problem.ts";
import { BUILT_IN_EPISODE_TYPES } from "../../episodes/episode-types.ts";
import type { Check } from "../check.ts";

const FEED_COLUMN = { table: "events", column: "seq" };

export const feed: Check = {
  name: "change feed",
  about: "the event feed has no gap and agrees with the stored items",
  find: async (tx) => [
    ...(await findGaps(tx)),
    ...(await findCounter(tx)),
    ...(await findSubjects(tx)),
    ...(await createRowProblem(
      tx,
      "Episodes are missing from the feed.",
      sql`select subject as item from (select 'ep:' || id as subject from episodes except select subject_id from events where kind = 'remembered') as untold`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Conflicts are missing from the feed.",
      sql`select subject as item from (select 'conflict:' || id as subject from conflicts except select subject_id from events where kind = 'conflict_opened') as untold`,
      false,
    )),
    ...(await findMissingEvents(tx)),
  ],
  /** Numbers are never reused: the counter only increases. */
  async fix(tx) {
    await catchUpNumbers(tx, FEED_COLUMN);
  },
};

async function findGaps(tx: Tx): Promise<readonly Problem[]> {
  const [row] = await tx.all<{ count: number; first: number | null; last: number | null }>(
    sql`select count(*) as count, min(seq) as first, max(seq) as last from events`,
  );
  const { count = 0, last = 0 } = row ?? {};
  if (count === (last ?? 0) && (count === 0 || row?.first === 1)) return [];
  const before = await tx.all<{ seq: number }>(
    sql`select seq - 1 as seq from events as later where seq > 1 and not exists (select 1 from events where events.seq = later.seq - 1) order by seq limit 20`,
  );
  return [
    {
      problem: "Events are missing from the feed.",
      count: (last ?? 0) - count,
      examples: before.slice(0, 5).map(({ seq }) => `seq ${seq}`),
      fixable: false,
    },
  ];
}

async function findCounter(tx: Tx): Promise<readonly Problem[]> {
  const [row] = await tx.all<{ last: number }>(
    sql`select coalesce(max(seq), 0) as last from events`,
  );
  const last = row?.last ?? 0;
  const counter = await highestNumberUsed(tx, FEED_COLUMN);
  if (last === (counter ?? 0)) return [];
  const position = [`counter ${counter}, last event ${last}`];
  return counter !== null && counter > last
    ? createProblem("The newest events are missing from the feed.", position, false)
    : createProblem("The counter of the feed is behind its last event.", position);
}

const SUBJECT_QUERIES = [
  [
    "episode",
    sql`select 'ep:' || id from episodes`,
    missingCondition("episodes", sql`'ep:' || id`),
  ],
  ["fact", sql`select 'fact:' || id from facts`, missingCondition("facts", sql`'fact:' || id`)],
  [
    "conflict",
    sql`select 'conflict:' || id from conflicts`,
    missingCondition("conflicts", sql`'conflict:' || id`),
  ],
  [
    "proposal",
    sql`select 'proposal:' || id from proposals`,
    missingCondition("proposals", sql`'proposal:' || id`),
  ],
  ["concept", sql`select public_id from concepts`, missingCondition("concepts", sql`public_id`)],
] as const;

function missingCondition(table: string, id: SQL): SQL {
  return sql`select ${id} from (select ${firstJsonItem(sql`row_key`)} as id, ${jsonMember(sql`before`, "public_id")} as public_id from row_changes where table_name = ${table} and action = 'delete') as gone`;
}

async function findSubjects(tx: Tx): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [type, known, undone] of SUBJECT_QUERIES) {
    const reported = sql`select subject_id as item from events where subject_type = ${type}`;
    problems.push(
      ...(await createRowProblem(
        tx,
        `The feed names ${type}s that do not exist.`,
        sql`${reported} except ${known} except ${undone}`,
        false,
      )),
    );
  }
  return problems;
}

const BUILT_IN_TYPE_LIST = sql.join(
  BUILT_IN_EPISODE_TYPES.map((type) => sql`${type}`),
  sql`, `,
);

async function findMissingEvents(tx: Tx): Promise<readonly Problem[]> {
  // Set-based: per-item lookups would reread the events of many deletions.
  const hasDeletionEvent = (type: string, id: SQL) =>
    sql`(${id} in (select told.subject_id from events as told join (select max(seq) as seq from events where kind in ('deleted', 'restored') and subject_type = ${type} group by subject_id) as newest on newest.seq = told.seq where told.kind = 'deleted'))`;
  return [
    ...(await createRowProblem(
      tx,
      "The feed disagrees about which episodes are deleted.",
      sql`select 'ep:' || id as item from episodes where (deleted_at is not null) <> ${hasDeletionEvent("episode", sql`'ep:' || episodes.id`)}`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Concepts are deleted, but not in the feed.",
      sql`select public_id as item from concepts where deleted_at is not null and merged_into is null and not ${hasDeletionEvent("concept", sql`concepts.public_id`)}`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Concepts are active, but deleted in the feed.",
      sql`select public_id as item from concepts where deleted_at is null and ${hasDeletionEvent("concept", sql`concepts.public_id`)}`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Facts are superseded, but not in the feed.",
      sql`select 'fact:' || id as item from facts where status = 'superseded'
        and 'fact:' || id not in (select subject_id from events where kind = 'superseded')
        and not exists (select 1 from conflicts where conflicts.status = 'resolved' and facts.id in (fact_a, fact_b) and winner <> facts.id)`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Episodes have types that no event gave them.",
      sql`select 'ep:' || id as item from episodes where episode_type not in (${BUILT_IN_TYPE_LIST})
        and episode_type not in (select told from (select case when json_valid(payload) then ${jsonMember(sql`payload`, "episode_type")} end as told from events where kind = 'remembered') as remembered where told is not null)
        and 'ep:' || id not in (select subject_id from events where kind = 'updated' and subject_type = 'episode' and payload like '%"episode_type"%')
        and 'ep:' || id not in (select item from purged_items)`,
      false,
    )),
  ];
}
