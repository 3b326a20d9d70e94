import { type SQL, sql } from "drizzle-orm";
import { concepts } from "../concepts/concept.table.ts";
import { entities } from "../entities/entity.table.ts";
import { events, type SUBJECT_TYPES } from "../events/event.table.ts";
import { type NumberedKind, placeOfNumber } from "../input/item-ids.ts";
import { FILTERED, type FilteredKind } from "./filtered-kinds.ts";

type SubjectType = (typeof SUBJECT_TYPES)[number];

/** Subjects of events that filters narrow. A topic is not: records belong to it, it holds nothing itself. */
type SubjectKind = Extract<SubjectType, FilteredKind>;

/** How the record of a subject is found; the rest of the condition is on its columns. */
const FOUND: Readonly<Record<SubjectKind, (condition: SQL) => SQL>> = {
  episode: byNumber("episode"),
  fact: byNumber("fact"),
  conflict: byNumber("conflict"),
  source: byNumber("source"),
  passage: byNumber("passage"),
  proposal: byNumber("proposal"),
  concept: (condition) =>
    sql`exists (select 1 from ${concepts} where ${concepts.publicId} = ${events.subjectId} and ${condition})`,
  // Their ids stand in no index, so all that pass are looked up once.
  entity: (condition) =>
    sql`${events.subjectId} in (select ${entities.type} || ':' || ${entities.name} from ${entities} where ${condition})`,
};

export const SUBJECT_KINDS = Object.keys(FOUND) as SubjectKind[];

/** Condition on an event with such a subject: its record is there, and the condition true of it. */
export function whereSubject(kind: SubjectKind, condition: SQL): SQL {
  return FOUND[kind](condition);
}

function byNumber(kind: NumberedKind) {
  const { from, number } = FILTERED[kind];
  const digits = sql.raw(String(placeOfNumber(kind)));
  return (condition: SQL) =>
    sql`exists (select 1 from ${from} where ${number} = cast(substr(${events.subjectId}, ${digits}) as bigint) and ${condition})`;
}
