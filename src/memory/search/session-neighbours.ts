import { type SQL, sql } from "drizzle-orm";
import { numbersNamed } from "../../database/index.ts";

export interface NeighbourEdge {
  readonly from: number;
  readonly to: number;
  readonly distance: number;
}

/** Number of an episode and of its neighbors; null if there is none. */
export type NeighbourRow = [
  from: number,
  before: number | null,
  twoBefore: number | null,
  after: number | null,
  twoAfter: number | null,
];

export function toNeighbours([from, ...locations]: NeighbourRow): NeighbourEdge[] {
  return locations.flatMap((to, index) =>
    to === null ? [] : { from, to, distance: 1 + (index % 2) },
  );
}

/** Up to two active episodes before and after each of the `episodes` in its session, by id. */
export const NEIGHBOURS: SQL = neighbourRows();

function neighbourRows(): SQL {
  const near = (side: SQL, step: number) =>
    sql`(select near.id from episodes near where near.session = seed.session and near.deleted_at is null and ${side} limit 1 offset ${sql.raw(String(step))})`;
  const before = sql`near.id < seed.id order by near.id desc`;
  const after = sql`near.id > seed.id order by near.id`;
  return sql`select seed.id, ${near(before, 0)}, ${near(before, 1)}, ${near(after, 0)}, ${near(after, 1)}
    from episodes seed where seed.id in (${numbersNamed("episodes")}) and seed.session is not null`;
}
