import { type SQL, sql } from "drizzle-orm";
import { beginningOfIds, type NumberedKind } from "../../shared/ids.ts";
import { concepts } from "../concepts/concept.table.ts";
import { entities } from "../entities/entity.table.ts";
import { events, type SUBJECT_TYPES } from "../events/event.table.ts";
import { FILTERED, type FilteredKind } from "./filtered-kinds.ts";

type SubjectType = (typeof SUBJECT_TYPES)[number];

/**
 * Subjects of events that filters narrow. A topic is not: records belong to it, it holds nothing itself. Nor
 * is a passage: the one event about it tells that it was purged, and then nothing of it is there.
 */
export type SubjectKind = Exclude<Extract<SubjectType, FilteredKind>, "passage">;

const ENTITY_ID = sql`${entities.type} || ':' || ${entities.name}`;

const FOUND: Readonly<Record<SubjectKind, (condition: SQL) => SQL>> = {
  episode: byNumber("episode"),
  fact: byNumber("fact"),
  conflict: byNumber("conflict"),
  source: byNumber("source"),
  proposal: byNumber("proposal"),
  concept: (condition) =>
    sql`exists (select 1 from ${concepts} where ${concepts.publicId} = ${events.subjectId} and ${condition})`,
  entity: (condition) =>
    sql`${events.subjectId} in (select ${ENTITY_ID} from ${entities} where ${condition})`,
};

export const SUBJECT_KINDS = Object.keys(FOUND) as SubjectKind[];

/** Condition on an event with such a subject: its record is there, and the condition true of it. */
export function whereSubject(kind: SubjectKind, condition: SQL): SQL {
  return FOUND[kind](condition);
}

/** The ids by which events name the records with these numbers, a subquery. */
export function idsOfSubjects(kind: SubjectKind, numbers: SQL): SQL {
  if (kind === "concept") {
    return sql`select ${concepts.publicId} from ${concepts} where ${concepts.id} in (${numbers})`;
  }
  if (kind === "entity") {
    return sql`select ${ENTITY_ID} from ${entities} where ${entities.id} in (${numbers})`;
  }
  const { from, number } = FILTERED[kind];
  const before = sql.raw(`'${beginningOfIds(kind)}'`);
  return sql`select ${before} || ${number} from ${from} where ${number} in (${numbers})`;
}

function byNumber(kind: NumberedKind) {
  const { from, number } = FILTERED[kind];
  const digits = sql.raw(String(beginningOfIds(kind).length + 1));
  return (condition: SQL) =>
    sql`exists (select 1 from ${from} where ${number} = cast(substr(${events.subjectId}, ${digits}) as bigint) and ${condition})`;
}
