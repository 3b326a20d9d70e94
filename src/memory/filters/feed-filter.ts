import { type SQL, sql } from "drizzle-orm";
import { numberSet } from "../../database/index.ts";
import { changes } from "../events/change.table.ts";
import { events } from "../events/event.table.ts";
import type { FeedFilter } from "../events/feed-filter.ts";
import type { FilterContext } from "./define-filter.ts";
import { eventsAboutFew } from "./events-about-few.ts";
import { conditionOf, isBySubjects } from "./filter-condition.ts";
import type { NameForKind } from "./filter-fields.ts";
import type { FilterName } from "./filter-table.ts";
import type { FeedKind } from "./filtered-kinds.ts";
import {
  type GivenFilter,
  type GivenPart,
  type RecordFilter,
  resolveFilter,
} from "./resolve-filter.ts";
import { valuesIfFew } from "./values-if-few.ts";
import type { Wired } from "./wired.ts";

/** Of an input with the filters of the feed; undefined: none was given, so all of it passes. */
export async function feedFilter<
  Kind extends FeedKind,
  Given extends GivenFilter,
  LeftOut extends FilterName = never,
>(
  kind: Kind,
  context: FilterContext,
  given: Given & Wired<Exclude<NameForKind<Kind>, LeftOut>, Given>,
  _leftOut: readonly LeftOut[] = [],
): Promise<FeedFilter | undefined> {
  const whole: GivenFilter = given;
  return feedFilterOf(kind, await resolveFilter(context, whole));
}

export function feedFilterOf(kind: FeedKind, filter: RecordFilter): FeedFilter | undefined {
  if (filter.length === 0) return undefined;
  const passes = conditionOf(kind, filter);
  if (passes === undefined) return { passes: sql`false`, few: async () => [] };
  const lookUps = lookUpsOf(kind, filter);
  return {
    passes,
    async few(tx, most) {
      for (const lookUp of lookUps) {
        const found = await lookUp(tx, most);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

type LookUp = FeedFilter["few"];

/** Each is a way to all that pass: by their time, by another column of their change, by what they are about. */
function lookUpsOf(kind: FeedKind, filter: RecordFilter): readonly LookUp[] {
  const bySubjects = filter.filter((given) => isBySubjects(given, kind));
  const others = filter.filter((given) => !bySubjects.includes(given));
  const ofTime = others.filter(isOfTime);
  const each = others.filter((given) => !isOfTime(given)).map((given) => [given]);
  const ofChanges = [ofTime, ...each].filter((parts) => parts.length > 0).map(fewChanges);
  const about = bySubjects.length === 0 ? [] : [eventsAboutFew(bySubjects)];
  return kind === "change"
    ? [...ofChanges, ...about.map((lookUp) => thenTheirs(lookUp, changesOfEvents))]
    : [...ofChanges.map((lookUp) => thenTheirs(lookUp, eventsOfChanges(ofTime))), ...about];
}

const isOfTime = ({ name }: GivenPart) => name === "since" || name === "until";

/** By an index of the changes; PostgreSQL takes that of the times for sure where these are in order. */
function fewChanges(parts: RecordFilter): LookUp {
  const condition = conditionOf("change", parts) ?? sql`false`;
  const order = parts.every(isOfTime) ? sql` order by ${changes.ts}` : sql``;
  return (tx, most) =>
    valuesIfFew(tx, sql`select ${changes.id} from ${changes} where ${condition}${order}`, most);
}

function thenTheirs(lookUp: LookUp, theirs: (numbers: readonly number[]) => SQL): LookUp {
  return async (tx, most) => {
    const numbers = await lookUp(tx, most);
    return numbers && valuesIfFew(tx, theirs(numbers), most);
  };
}

function changesOfEvents(numbers: readonly number[]): SQL {
  return sql`select distinct ${events.changeId} from ${events} where ${events.seq} in (${numberSet(numbers)}) and ${events.changeId} is not null`;
}

function eventsOfChanges(ofTime: RecordFilter): (numbers: readonly number[]) => SQL {
  const condition = ofTime.length === 0 ? sql`false` : conditionOf("event", ofTime);
  return (numbers) =>
    sql`select ${events.seq} from ${events} where ${events.changeId} in (${numberSet(numbers)}) union all select ${events.seq} from ${events} where ${events.changeId} is null and ${condition ?? sql`false`}`;
}
