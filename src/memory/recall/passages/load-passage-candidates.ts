import { sql } from "drizzle-orm";
import {
  listOfValues,
  numbersParameter,
  ORDERED_JOIN,
  type QueryShape,
  rowQuery,
  type Tx,
} from "../../../database/index.ts";
import { UNIT_OF_PASSAGE } from "../../search/text-query.ts";
import {
  type Candidate,
  type JoinedRows,
  joinColumns,
  joinRows,
  type Measured,
  type Measures,
  NO_TURN_FIELDS,
  toCandidates,
} from "../load-candidates.ts";
import type { PassageScope } from "./load-units.ts";

export interface PassageCandidate extends Candidate {
  readonly unit: number;
}

export async function loadPassageCandidates(
  tx: Tx,
  scope: PassageScope,
  { numbers, measures }: { readonly numbers: Iterable<number>; readonly measures: Measures },
): Promise<Map<number, PassageCandidate>> {
  const requested = [...new Set(numbers)];
  if (requested.length === 0) return new Map();
  const values = { ...scope.values, numbers: listOfValues(requested) };
  const { vectors, tokens } = measures;
  const shape = `${scope.shape}, vectors ${vectors}, tokens ${tokens}`;
  const rows = await passageRows(tx, values, { shape, scope, vectors, tokens });
  return toCandidates<PassageRow, PassageCandidate>(rows, (row, vector, signs) => ({
    ...NO_TURN_FIELDS,
    number: row[2],
    unit: row[3],
    vector,
    signBits: signs,
  }));
}

type PassageRow = [...Measured, number: number, unit: number];

interface PassageShape extends QueryShape, Measures {
  readonly scope: PassageScope;
}

const passageRows = rowQuery<JoinedRows, PassageShape>(({ scope, ...measures }) =>
  joinRows(
    sql`passages.id, ${UNIT_OF_PASSAGE}`,
    sql`from (${numbersParameter("numbers")}) wanted
    ${ORDERED_JOIN} passages on passages.id = wanted.value
    ${joinColumns("passage", measures)}
    where ${scope.condition}`,
    measures,
  ),
);
