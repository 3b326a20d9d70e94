import { type SQL, sql } from "drizzle-orm";
import { contains, inTime } from "../../../database/index.ts";
import { retainedCondition, shapeOfFilter, valuesOfFilter } from "../../filters/kept-condition.ts";
import type { Visibility } from "../../search/visibility.ts";
import type { RecallRequest } from "../recall.schema.ts";
import { looksBack, notYounger, PASSAGE_TIMES, type RecallScope } from "../recall-scope.ts";

/** Which passages a recall may find; undefined if its filters exclude all passages. */
export type PassageScope = Visibility;

export function passageScope(request: RecallRequest, scope: RecallScope): PassageScope | undefined {
  const { entity } = request;
  const about = entity === undefined ? undefined : aboutEntity(entity);
  if (entity !== undefined && about === undefined) return undefined;
  const filter = scope.filter.filter(({ name }) => name !== "entity");
  const kept = retainedCondition("passage", filter);
  if (kept === undefined) return undefined;
  const { asOf, knownAt, isTimed } = scope;
  const conditions = [
    sql`passages.deleted_at is null`,
    kept,
    ...(isTimed ? [inTime(sql`passages.id`)] : []),
    ...notYounger(scope, PASSAGE_TIMES),
    ...(about === undefined ? [] : [about.condition]),
  ];
  return {
    shape: `passages, asOf ${asOf !== undefined}, knownAt ${knownAt !== undefined}, about ${about?.kind}, ${shapeOfFilter(filter)}, timed ${isTimed}`,
    condition: sql.join(conditions, sql` and `),
    values: { asOf, knownAt, about: about?.value, ...valuesOfFilter(filter) },
    isPart: looksBack(scope) || about !== undefined || filter.length > 0,
    isTimed,
  };
}

interface About {
  readonly kind: "file" | "person";
  readonly condition: SQL;
  readonly value: string;
}

function aboutEntity(entity: string): About | undefined {
  const [, type = "", name = ""] = /^([^:]+):(.+)$/s.exec(entity) ?? [];
  const value = name.trim();
  switch (type.trim().toLowerCase()) {
    case "file":
      return {
        kind: "file",
        condition: contains(sql`passages.files`, sql`${sql.placeholder("about")}`),
        value: JSON.stringify(value),
      };
    case "person":
      return {
        kind: "person",
        condition: sql`lower(passages.asserted_by) = ${sql.placeholder("about")}`,
        value: value.toLowerCase(),
      };
    default:
      return undefined;
  }
}
