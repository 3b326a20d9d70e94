import { sql } from "drizzle-orm";
import { listOfValues, numbersNamed, rowQuery, THEN_JOIN, type Tx } from "../../database/index.ts";
import { storedVector } from "../search/stored-vector.ts";
import { asksInstead } from "./load-graph.ts";
import { conceptInScope, episodeInScopeWithFact, type RecallScope } from "./recall-scope.ts";
import type { SeedFact } from "./seed.ts";

/** An item within the scope, with all that its match is measured by. */
export interface Candidate {
  readonly number: number;
  /** Undefined where there is none, or where none was asked for. */
  readonly vector: Int8Array | undefined;
  /** The signs of its tokens, likewise. */
  readonly signs: Uint8Array | undefined;
  /** The session of an episode. */
  readonly session: string | null;
  /** Whether an episode mentions an entity that is asked for. */
  readonly mentions: boolean;
  /** Whether an episode ends in a question mark. */
  readonly asks: boolean;
  /** What an episode claims, if it is a fact that holds. */
  readonly fact: SeedFact | undefined;
}

export interface CandidateQuery {
  readonly scope: RecallScope;
  readonly numbers: Iterable<number>;
  /** Whether vectors and the signs of tokens are wanted. */
  readonly measures: Measures;
}

export interface Measures {
  readonly vectors: boolean;
  readonly tokens: boolean;
}

type Measured = [vector: Uint8Array | null, signs: Uint8Array | null];

interface CandidateShape extends Measures {
  readonly shape: string;
  readonly scope: RecallScope;
  readonly entities: boolean;
}

/** Which of these episodes are within the scope; `entities` are those that are asked for. */
export async function loadEpisodeCandidates(
  tx: Tx,
  { scope, numbers, measures }: CandidateQuery,
  entities: readonly number[],
): Promise<Map<number, Candidate>> {
  const wanted = [...new Set(numbers)];
  if (wanted.length === 0) return new Map();
  const values = {
    ...scope.values,
    numbers: listOfValues(wanted),
    entities: listOfValues(entities),
  };
  const rows = await episodeRows(tx, values, shapeOf(scope, measures, entities.length > 0));
  return new Map(
    rows.map(([number, session, mentions, asks, id, concept, vector, signs]) => [
      number,
      {
        number,
        session,
        mentions: mentions === 1,
        asks: asks === 1,
        fact: id === null || concept === null ? undefined : { id, concept, episode: number },
        vector: vector === null ? undefined : storedVector(vector),
        signs: signs ?? undefined,
      },
    ]),
  );
}

/** Which of these concepts are within the scope. */
export async function loadConceptCandidates(
  tx: Tx,
  { scope, numbers, measures }: CandidateQuery,
): Promise<Map<number, Candidate>> {
  const wanted = [...new Set(numbers)];
  if (wanted.length === 0) return new Map();
  const values = { ...scope.values, numbers: listOfValues(wanted) };
  const rows = await conceptRows(tx, values, shapeOf(scope, measures, false));
  return new Map(
    rows.map(([number, vector, signs]) => [
      number,
      {
        number,
        session: null,
        mentions: false,
        asks: false,
        fact: undefined,
        vector: vector === null ? undefined : storedVector(vector),
        signs: signs ?? undefined,
      },
    ]),
  );
}

function shapeOf(scope: RecallScope, measures: Measures, entities: boolean): CandidateShape {
  const { vectors, tokens } = measures;
  const shape = `${scope.shape}, vectors ${vectors}, tokens ${tokens}, entities ${entities}`;
  return { shape, scope, vectors, tokens, entities };
}

const episodeRows = rowQuery<
  [
    number: number,
    session: string | null,
    mentions: number,
    asks: number,
    fact: number | null,
    cluster: number | null,
    ...Measured,
  ],
  CandidateShape
>(
  ({ scope, entities, ...measures }) =>
    sql`select episodes.id, episodes.session,
      ${entities ? MENTIONS : sql`0`} as mentions, ${asksInstead} as asks,
      facts.id as fact, facts.cluster_id, ${measured(measures)}
    from (${numbersNamed("numbers")}) wanted
    ${THEN_JOIN} episodes on episodes.id = wanted.value
    left join facts on facts.episode_id = episodes.id
    ${joined("episode", measures)}
    where ${episodeInScopeWithFact(scope)}`,
);

const MENTIONS = sql`exists (select 1 from episode_entities where episode_entities.episode_id = episodes.id
  and episode_entities.entity_id in (${numbersNamed("entities")}))`;

const conceptRows = rowQuery<[number: number, ...Measured], CandidateShape>(
  ({ scope, ...measures }) =>
    sql`select concepts.id, ${measured(measures)}
    from (${numbersNamed("numbers")}) wanted
    ${THEN_JOIN} concepts on concepts.id = wanted.value
    ${joined("concept", measures)}
    where ${conceptInScope(scope)}`,
);

function measured({ vectors, tokens }: Measures) {
  return sql`${vectors ? sql`vectors.vector` : sql`null`} as vector, ${tokens ? sql`vectors.tokens` : sql`null`} as tokens`;
}

function joined(kind: "episode" | "concept", { vectors }: Measures) {
  const item = sql.identifier(`${kind}s`);
  return vectors
    ? sql`left join vectors on vectors.kind = ${sql.raw(`'${kind}'`)} and vectors.item_id = ${item}.id`
    : sql``;
}
