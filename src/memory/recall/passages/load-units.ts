import { sql } from "drizzle-orm";
import {
  listOfRows,
  type QueryShape,
  rowQuery,
  rowsNamed,
  type Tx,
} from "../../../database/index.ts";
import { UNIT_OF_PASSAGE, unitPlace } from "../../search/unit-of-passage.ts";
import type { PassageRole } from "../../sources/source.table.ts";
import type { PassageScope } from "./passage-scope.ts";

export interface UnitPassage {
  readonly number: number;
  readonly role: PassageRole;
  readonly by: string;
  readonly text: string;
  readonly occurredAt: string;
}

export async function loadUnits(
  tx: Tx,
  scope: PassageScope,
  units: readonly number[],
): Promise<Map<number, UnitPassage[]>> {
  const wanted = listOfRows(units.map(unitPlace).map(({ source, segment }) => [source, segment]));
  const rows = await unitRows(tx, { ...scope.values, wanted }, { shape: scope.shape, scope });
  const loaded = new Map<number, UnitPassage[]>();
  for (const [unit, number, role, by, text, occurredAt] of rows) {
    const known = loaded.get(unit) ?? [];
    loaded.set(unit, known);
    known.push({ number, role, by, text, occurredAt });
  }
  return loaded;
}

interface UnitShape extends QueryShape {
  readonly scope: PassageScope;
}

type UnitRow = [
  unit: number,
  number: number,
  role: PassageRole,
  by: string,
  text: string,
  occurredAt: string,
];

const unitRows = rowQuery<UnitRow, UnitShape>(
  ({ scope }) => sql`select ${UNIT_OF_PASSAGE} as unit, passages.id, passages.role,
      passages.asserted_by, passages.content, passages.occurred_at
    from (${rowsNamed("wanted", { source: "number", segment: "number" })}) wanted
    inner join passages on passages.source_id = wanted.source and passages.segment = wanted.segment
    where ${scope.condition} order by passages.id`,
);
