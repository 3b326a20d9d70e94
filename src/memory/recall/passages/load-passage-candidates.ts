import { sql } from "drizzle-orm";
import {
  listOfValues,
  numbersNamed,
  type QueryShape,
  rowQuery,
  THEN_JOIN,
  type Tx,
} from "../../../database/index.ts";
import { UNIT_OF_PASSAGE } from "../../search/text-query.ts";
import {
  type Candidate,
  type Gathered,
  gathered,
  joined,
  type Measured,
  type Measures,
  NOT_SAID,
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
    ...NOT_SAID,
    number: row[2],
    unit: row[3],
    vector,
    signs,
  }));
}

type PassageRow = [...Measured, number: number, unit: number];

interface PassageShape extends QueryShape, Measures {
  readonly scope: PassageScope;
}

const passageRows = rowQuery<Gathered, PassageShape>(({ scope, ...measures }) =>
  gathered(
    sql`passages.id, ${UNIT_OF_PASSAGE}`,
    sql`from (${numbersNamed("numbers")}) wanted
    ${THEN_JOIN} passages on passages.id = wanted.value
    ${joined("passage", measures)}
    where ${scope.condition}`,
    measures,
  ),
);
