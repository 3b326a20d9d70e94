import { type SQL, sql } from "drizzle-orm";
import {
  concatenatedBytes,
  listOfValues,
  numbersParameter,
  ORDERED_JOIN,
  rowQuery,
  rowsAsJson,
  type Tx,
} from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { isTurn } from "../episodes/episode-types.ts";
import { ITEM_TABLES } from "../search/by-kind.ts";
import { ASSISTANTS } from "../search/standing-instructions.ts";
import { storedVector } from "../search/stored-vector.ts";
import type { StatedTime } from "./dates/queried-time.ts";
import { endsWithQuestionMark } from "./load-graph.ts";
import {
  conceptInScope,
  episodeInScopeWithFact,
  HAPPENED_AT,
  type RecallScope,
} from "./recall-scope.ts";
import type { SeedFact } from "./seed.ts";

export interface Candidate {
  readonly number: number;
  readonly vector: Int8Array | undefined;
  /** Sign bits of its token vectors; undefined under the same conditions. */
  readonly signBits: Uint8Array | undefined;
  readonly session: string | null;
  /** Mention weight: 1 for a main entity of the query, 0.5 for a secondary one, 0 for none. */
  readonly mentions: number;
  readonly isQuestion: boolean;
  readonly isTurn: boolean;
  /** True for an assistant's turn, if the query is about the user. */
  readonly isAnswer: boolean;
  readonly statedTime: StatedTime | undefined;
  readonly fact: SeedFact | undefined;
}

export interface CandidateQuery {
  readonly scope: RecallScope;
  readonly numbers: Iterable<number>;
  readonly measures: Measures;
}

export interface Measures {
  readonly vectors: boolean;
  readonly tokens: boolean;
}

/** Byte lengths of the vector and the sign bits; null if absent. */
export type Measured = [vector: number | null, signs: number | null];

interface CandidateColumns extends Measures {
  readonly shape: string;
  readonly scope: RecallScope;
  readonly hasEntities: boolean;
  readonly hasContextMentions: boolean;
  readonly isDated: boolean;
  readonly isAboutOneself: boolean;
}

export interface QueryTargets {
  readonly entities: readonly number[];
  readonly secondaryEntities: readonly number[];
  readonly isDated: boolean;
  readonly isAboutOneself: boolean;
}

export async function loadEpisodeCandidates(
  tx: Tx,
  { scope, numbers, measures }: CandidateQuery,
  { entities, secondaryEntities, isDated, isAboutOneself }: QueryTargets,
): Promise<Map<number, Candidate>> {
  const requested = [...new Set(numbers)];
  if (requested.length === 0) return new Map();
  const values = {
    ...scope.values,
    numbers: listOfValues(requested),
    entities: listOfValues(entities.filter((entity) => !secondaryEntities.includes(entity))),
    aside: listOfValues(secondaryEntities),
  };
  const rows = await episodeRows(
    tx,
    values,
    candidateShape(scope, measures, {
      hasEntities: entities.length > 0,
      hasContextMentions: secondaryEntities.length > 0,
      isDated,
      isAboutOneself,
    }),
  );
  return toCandidates(rows, episodeCandidate);
}

function episodeCandidate(
  row: EpisodeRow,
  vector: Candidate["vector"],
  signs: Candidate["signBits"],
): Candidate {
  const number = row[2];
  const at = row[8];
  const text = row[9];
  const id = row[10];
  const concept = row[11];
  return {
    number,
    session: row[3],
    mentions: row[4],
    isQuestion: Boolean(row[5]),
    isTurn: Boolean(row[6]),
    isAnswer: Boolean(row[7]),
    statedTime: at === null || text === null ? undefined : { at, text },
    fact: id === null || concept === null ? undefined : { id, concept, episode: number },
    vector,
    signBits: signs,
  };
}

export async function loadConceptCandidates(
  tx: Tx,
  {
    scope,
    numbers,
    measures,
    clustersOf = [],
  }: CandidateQuery & { readonly clustersOf?: readonly number[] },
): Promise<Map<number, Candidate>> {
  const requested = [...new Set(numbers)];
  if (requested.length + clustersOf.length === 0) return new Map();
  const values = {
    ...scope.values,
    numbers: listOfValues(requested),
    episodes: listOfValues(new Set(clustersOf)),
  };
  const query = clustersOf.length > 0 ? rowsOfConceptsAndClusters : conceptRows;
  const rows = await query(tx, values, candidateShape(scope, measures, NO_NEEDS));
  return toCandidates<ConceptRow>(rows, (row, vector, signs) => ({
    ...NO_TURN_FIELDS,
    number: row[2],
    vector,
    signBits: signs,
  }));
}

export const NO_TURN_FIELDS = {
  session: null,
  mentions: 0,
  isQuestion: false,
  isTurn: false,
  isAnswer: false,
  statedTime: undefined,
  fact: undefined,
} satisfies Partial<Candidate>;

/** Splits the concatenated bytes into rows; the first two columns contain the lengths. */
export function toCandidates<
  Row extends [...Measured, number, ...unknown[]],
  Item extends Candidate = Candidate,
>(
  [gathered]: readonly JoinedRows[],
  toItem: (row: Row, vector: Candidate["vector"], signs: Candidate["signBits"]) => Item,
): Map<number, Item> {
  const [list, vectors, tokens] = gathered ?? ["[]", null, null];
  let vectorAt = 0;
  let tokensAt = 0;
  const candidates = new Map<number, Item>();
  for (const row of JSON.parse(list) as Row[]) {
    const ofVector = row[0];
    const ofSigns = row[1];
    const vector =
      ofVector === null || vectors === null ? undefined : storedVector(vectors, vectorAt, ofVector);
    const signs =
      ofSigns === null || tokens === null
        ? undefined
        : tokens.subarray(tokensAt, tokensAt + ofSigns);
    const item = toItem(row, vector, signs);
    candidates.set(item.number, item);
    vectorAt += ofVector ?? 0;
    tokensAt += ofSigns ?? 0;
  }
  return candidates;
}

type CandidateNeeds = Pick<
  CandidateColumns,
  "hasEntities" | "hasContextMentions" | "isDated" | "isAboutOneself"
>;

const NO_NEEDS: CandidateNeeds = {
  hasEntities: false,
  hasContextMentions: false,
  isDated: false,
  isAboutOneself: false,
};

function candidateShape(
  scope: RecallScope,
  measures: Measures,
  request: CandidateNeeds,
): CandidateColumns {
  const { vectors, tokens } = measures;
  const { hasEntities, hasContextMentions, isDated, isAboutOneself } = request;
  const shape = `${scope.shape}, vectors ${vectors}, tokens ${tokens}, entities ${hasEntities}, aside ${hasContextMentions}, dated ${isDated}, oneself ${isAboutOneself}`;
  return { shape, scope, vectors, tokens, ...request };
}

type EpisodeRow = [
  ...Measured,
  number: number,
  session: string | null,
  mentions: number,
  asks: number | boolean,
  turn: number | boolean,
  answers: number | boolean,
  at: string | null,
  text: string | null,
  fact: number | null,
  cluster: number | null,
];

type ConceptRow = [...Measured, number: number];

/** Rows as JSON, and their bytes concatenated in the same order. */
export type JoinedRows = [rows: string, vectors: Buffer | null, tokens: Buffer | null];

const episodeRows = rowQuery<JoinedRows, CandidateColumns>(
  ({ scope, hasEntities, hasContextMentions, isDated, isAboutOneself, ...measures }) =>
    joinRows(
      sql`episodes.id, episodes.session, ${hasEntities ? mentionedEntities(hasContextMentions) : sql`0`}, ${endsWithQuestionMark}, ${isTurn()}, ${isAboutOneself ? ANSWER_CONDITION : sql`0`}, ${isDated ? TIME_AND_TEXT : sql`null, null`}, facts.id, facts.cluster_id`,
      sql`from (${numbersParameter("numbers")}) wanted
    ${ORDERED_JOIN} episodes on episodes.id = wanted.value
    left join facts on facts.episode_id = episodes.id
    ${joinColumns("episode", measures)}
    where ${episodeInScopeWithFact(scope)}`,
      measures,
    ),
);

const SECONDARY_WEIGHT = 0.5;

function mentionedEntities(hasContextMentions: boolean): SQL {
  const contextCondition = hasContextMentions
    ? sql`when ${mentionsAny("aside")} then ${sql.raw(String(SECONDARY_WEIGHT))}`
    : sql``;
  return sql`case when ${mentionsAny("entities")} then 1 ${contextCondition} else 0 end`;
}

function mentionsAny(list: "entities" | "aside"): SQL {
  return sql`exists (select 1 from episode_entities where episode_entities.episode_id = episodes.id
  and episode_entities.entity_id in (${numbersParameter(list)}))`;
}

const ANSWER_CONDITION = sql.raw(
  `(episodes.episode_type = 'observation' and lower(trim(coalesce(episodes.asserted_by, ''))) in (${ASSISTANTS.map((name) => `'${name}'`).join(", ")}))`,
);

/** Characters of a text that are searched for dates. */
const MAX_TEXT_CHARACTERS = 1000;

const TIME_AND_TEXT = sql`${HAPPENED_AT}, substr(episodes.content, 1, ${sql.raw(String(MAX_TEXT_CHARACTERS))})`;

const conceptsNumbered = (numbers: SQL) =>
  rowQuery<JoinedRows, CandidateColumns>(({ scope, ...measures }) =>
    joinRows(
      sql`concepts.id`,
      sql`from (${numbers}) wanted
    ${ORDERED_JOIN} concepts on concepts.id = wanted.value
    ${joinColumns("concept", measures)}
    where ${conceptInScope(scope)}`,
      measures,
    ),
  );

const conceptRows = conceptsNumbered(numbersParameter("numbers"));

const rowsOfConceptsAndClusters = conceptsNumbered(
  sql`${numbersParameter("numbers")} union select facts.cluster_id from facts where facts.episode_id in (${numbersParameter("episodes")})`,
);

export function joinRows(columns: SQL, rest: SQL, { vectors, tokens }: Measures): SQL {
  const bytes = (column: SQL, isRequested: boolean) =>
    isRequested
      ? { length: sql`length(${column})`, all: concatenatedBytes(column) }
      : { length: sql`null`, all: sql`null` };
  const vector = bytes(sql`vectors.vector`, vectors);
  const signs = bytes(sql`vectors.tokens`, vectors && tokens);
  const rows = rowsAsJson(sql`${vector.length}, ${signs.length}, ${columns}`);
  return sql`select ${rows}, ${vector.all}, ${signs.all} ${rest}`;
}

export function joinColumns(kind: IndexedKind, { vectors }: Measures) {
  const item = sql.identifier(ITEM_TABLES[kind]);
  return vectors
    ? sql`left join vectors on vectors.kind = ${sql.raw(`'${kind}'`)} and vectors.item_id = ${item}.id`
    : sql``;
}
