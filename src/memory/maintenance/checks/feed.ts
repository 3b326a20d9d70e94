import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { type Check, type Problem, problemOf, problemOfRows } from "../check.ts";

export const feed: Check = {
  name: "change feed",
  about: "the feed has no gap and tells of everything that is there",
  find: async (tx) => [
    ...(await findGaps(tx)),
    ...(await findCounter(tx)),
    ...(await findSubjects(tx)),
    ...(await problemOfRows(
      tx,
      "Episodes are not in the feed.",
      sql`select subject as item from (select 'ep:' || id as subject from episodes except select subject_id from events where kind = 'remembered')`,
      false,
    )),
    ...(await problemOfRows(
      tx,
      "Conflicts are not in the feed.",
      sql`select subject as item from (select 'conflict:' || id as subject from conflicts except select subject_id from events where kind = 'conflict_opened')`,
      false,
    )),
    ...(await findDeletions(tx)),
  ],
  /** A number is never used again: the counter is only ever set forward. */
  async fix(tx) {
    await tx.run(
      sql`insert into sqlite_sequence(name, seq) select 'events', 0 where not exists (select 1 from sqlite_sequence where name = 'events')`,
    );
    await tx.run(
      sql`update sqlite_sequence set seq = max(seq, (select coalesce(max(seq), 0) from events)) where name = 'events'`,
    );
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
  const [row] = await tx.all<{ last: number; counter: number | null }>(
    sql`select coalesce((select max(seq) from events), 0) as last, (select seq from sqlite_sequence where name = 'events') as counter`,
  );
  const { last = 0, counter = null } = row ?? {};
  if (last === (counter ?? 0)) return [];
  const place = [`counter ${counter}, last event ${last}`];
  return counter !== null && counter > last
    ? problemOf("The newest events are missing from the feed.", place, false)
    : problemOf("The counter of the feed is behind its last event.", place);
}

/** What events speak of; entities and topics may be written in other ways, or be gone. */
const SUBJECTS = [
  ["episode", sql`select 'ep:' || id from episodes`, gone("episodes", sql`'ep:' || id`)],
  ["fact", sql`select 'fact:' || id from facts`, gone("facts", sql`'fact:' || id`)],
  [
    "conflict",
    sql`select 'conflict:' || id from conflicts`,
    gone("conflicts", sql`'conflict:' || id`),
  ],
  ["concept", sql`select public_id from concepts`, gone("concepts", sql`public_id`)],
] as const;

/** Ids of rows that were there and were taken back. */
function gone(table: string, id: SQL): SQL {
  return sql`select ${id} from (select json_extract(row_key, '$[0]') as id, json_extract(before, '$.public_id') as public_id from row_changes where table_name = ${table} and action = 'delete')`;
}

async function findSubjects(tx: Tx): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [type, known, undone] of SUBJECTS) {
    const told = sql`select subject_id as item from events where subject_type = ${type}`;
    problems.push(
      ...(await problemOfRows(
        tx,
        `The feed tells of ${type}s that are not there.`,
        sql`${told} except ${known} except ${undone}`,
        false,
      )),
    );
  }
  return problems;
}

/** The last that the feed says of an item's deletion must be how it is. */
async function findDeletions(tx: Tx): Promise<readonly Problem[]> {
  const lastKind = (type: string, id: SQL) =>
    sql`coalesce((select kind = 'deleted' from events where seq = (select max(seq) from events where kind in ('deleted', 'restored') and subject_type = ${type} and subject_id = ${id})), 0)`;
  return [
    ...(await problemOfRows(
      tx,
      "Episodes are deleted or active otherwise than the feed tells.",
      sql`select 'ep:' || id as item from episodes where (deleted_at is not null) <> ${lastKind("episode", sql`'ep:' || episodes.id`)}`,
      false,
    )),
    ...(await problemOfRows(
      tx,
      "Concepts are deleted that the feed does not tell of as deleted, merged or split.",
      sql`select public_id as item from concepts where deleted_at is not null and merged_into is null and not exists (select 1 from events where subject_type = 'concept' and subject_id = public_id and (kind = 'deleted' or json_extract(payload, '$.op') in ('merge', 'split', 'reshape')))`,
      false,
    )),
  ];
}
