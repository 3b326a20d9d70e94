import type { Tx } from "../../database/index.ts";
import type { SimilarityBackground } from "../../embedding/index.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { CairnError, invalidInput, isCairnError } from "../../kernel/errors.ts";
import { together } from "../../kernel/together.ts";
import { type EntityRow, findEntity } from "../entities/entity.queries.ts";
import { parseEntity } from "../input/parse-entity.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { QueryTokens } from "../search/query-vectors.ts";
import { queryWords } from "../search/query-words.ts";
import type { VectorWork } from "../search/vector-work.ts";
import { isAboutOneself } from "./about-oneself.ts";
import { type AskedTime, askedTime } from "./dates/asked-time.ts";
import { dayOf } from "./dates/period.ts";
import { matchEntities } from "./match-entities.ts";
import { peopleAside, withoutPeople } from "./people-in-query.ts";
import type { RecallRequest } from "./recall.schema.ts";
import { asksForOrder } from "./steps.ts";

/** What recall needs before its transaction: the query understood, and as a vector. */
export interface PreparedRecall {
  readonly words: readonly string[];
  readonly contextWords: readonly string[];
  /** The entity that is asked for, where it is known. */
  readonly entity: EntityRow | undefined;
  /** Entities that the query names. */
  readonly entities: readonly EntityRow[];
  /** Numbers of those of them that it names aside: see `peopleAside`. */
  readonly aside: readonly number[];
  /** When what is asked for happened, where the query says it. */
  readonly time: AskedTime | undefined;
  /** Whether it is about the one who asks: see `isAboutOneself`. */
  readonly isAboutOneself: boolean;
  /** Whether it asks for the order of things. */
  readonly isOrdered: boolean;
  /** The day on which it is asked, since 1970. */
  readonly today: number;
  readonly vector: QueryDirection | undefined;
  /** Items that still have no vector. */
  readonly missingVectors: number;
  /** Undefined: no hurry. */
  readonly deadline: Deadline | undefined;
}

export interface QueryDirection {
  /** L2-normalised. */
  readonly direction: Float32Array;
  readonly background: SimilarityBackground;
  /** Whether the stored vectors know what precedes their texts. */
  readonly contextual: boolean;
  /** The query token by token, where the embedder tells its tokens. */
  readonly tokens: QueryTokens | undefined;
}

/** Without a deadline so many missing vectors are made first; the rest makes the answer partial. */
const MOST_MISSING = 500;
/** Of a deadline: the rest is for the search, which would find nothing if vectors took it all. */
const SHARE_FOR_VECTORS = 0.5;
/** What the context adds to the direction of the query. */
const CONTEXT_SHARE = 0.5;

/** Everything that needs a model or time, outside of any lock. Throws invalid_input, conflict. */
export async function prepareRecall(
  { vectors, clock, options, read }: PrepareContext,
  request: RecallRequest,
): Promise<PreparedRecall> {
  const { timeout_ms: timeout, context = "" } = request;
  const query = (request.query ?? "").trim();
  checkRequest(request, query);
  const deadline = timeout === undefined ? undefined : new Deadline(options.pace ?? clock, timeout);
  const soon = deadline?.afterShare(SHARE_FOR_VECTORS);
  const work: VectorWork = { deadline: soon, ...options, limit: MOST_MISSING, onlyUrgent: true };
  const [entities, state, entity] = await read((tx) =>
    together(matchEntities(tx, query), vectors.readState(tx), entityOf(tx, request)),
  );
  const today = dayOf(request.as_of ?? request.known_at ?? clock.now());
  const texts = embeddingTexts(query, context, entities);
  const embed = async () =>
    texts.length === 0 ? undefined : vectors.embedQueries(texts, { ...work, known: state?.pin });
  // A query that must be quick is embedded first: it is a millisecond, missing vectors are seconds.
  const early = deadline === undefined ? undefined : await embed();
  const missingVectors = state?.pending === 0 ? 0 : await vectors.makeMissing(work);
  const made = early ?? (await embed());
  return {
    words: queryWords(query),
    contextWords: queryWords(context),
    entity,
    entities,
    aside: peopleAside(query, entities),
    time: askedTime(query, today),
    isAboutOneself: isAboutOneself(query),
    isOrdered: asksForOrder(query),
    today,
    vector: made && { ...made, direction: blend(made.vectors) },
    missingVectors,
    deadline,
  };
}

async function entityOf(tx: Tx, { entity }: RecallRequest): Promise<EntityRow | undefined> {
  return entity === undefined ? undefined : findEntity(tx, parseEntity(entity));
}

function checkRequest(request: RecallRequest, query: string): void {
  if (request.entity !== undefined) checkEntity(request.entity);
  if (query !== "" || request.entity !== undefined) return;
  throw invalidInput("recall: give a query, an entity, or both");
}

function checkEntity(id: string): void {
  try {
    parseEntity(id);
  } catch (error) {
    if (!isCairnError(error)) throw error;
    throw new CairnError(error.code, `recall: entity: ${error.message}`, error.details);
  }
}

function embeddingTexts(query: string, context: string, entities: readonly EntityRow[]): string[] {
  return [query === "" ? "" : withoutPeople(query, entities), context.trim()].filter(Boolean);
}

function blend([query, context]: readonly Float32Array[]): Float32Array {
  if (query === undefined) return new Float32Array();
  if (context === undefined) return query;
  const sum = query.map((value, index) => value + CONTEXT_SHARE * (context[index] ?? 0));
  const length = Math.hypot(...sum);
  return length === 0 ? query : sum.map((value) => value / length);
}
