import type { Tx } from "../../database/index.ts";
import type { SimilarityBackground } from "../../embedding/index.ts";
import { settleAll } from "../../shared/async.ts";
import { Deadline } from "../../shared/deadline.ts";
import { CairnError, invalidInput, isCairnError } from "../../shared/errors.ts";
import { type EntityRow, findEntity } from "../entities/entity.queries.ts";
import { parseEntity } from "../input/parse-entity.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { QueryTokens } from "../search/query-vectors.ts";
import { queryWords } from "../search/query-words.ts";
import type { VectorWork } from "../search/vector-work.ts";
import { isAboutOneself } from "./about-oneself.ts";
import { type AskedTime, askedTime } from "./dates/asked-time.ts";
import { dayOf } from "./dates/period.ts";
import { type LookedAhead, lookAhead } from "./look-ahead.ts";
import { matchEntities } from "./match-entities.ts";
import { peopleAside, withoutPeople } from "./people-in-query.ts";
import type { RecallRequest } from "./recall.schema.ts";
import { asksForOrder } from "./steps.ts";

export interface PreparedRecall {
  readonly words: readonly string[];
  readonly contextWords: readonly string[];
  readonly entity: EntityRow | undefined;
  /** Entities that the query names. */
  readonly entities: readonly EntityRow[];
  /** Numbers of the entities among them that the query names only aside: see `peopleAside`. */
  readonly aside: readonly number[];
  /** The time that the query asks about, if it names one. */
  readonly time: AskedTime | undefined;
  /** True if the query is about the user: see `isAboutOneself`. */
  readonly isAboutOneself: boolean;
  /** True if the query asks for the order of events. */
  readonly isOrdered: boolean;
  /** The day of the request, in days since 1970. */
  readonly today: number;
  readonly vector: QueryDirection | undefined;
  /** Number of items that still have no vector. */
  readonly missingVectors: number;
  /** Undefined if there is no time limit. */
  readonly deadline: Deadline | undefined;
  /** Undefined where the search itself reads it. */
  readonly ahead: LookedAhead | undefined;
}

export interface QueryDirection {
  /** L2-normalised. */
  readonly direction: Float32Array;
  readonly background: SimilarityBackground;
  /** True if the stored vectors were computed with the text that precedes each item. */
  readonly contextual: boolean;
  /** The tokens of the query, if the embedder provides tokens. */
  readonly tokens: QueryTokens | undefined;
}

/**
 * Without a deadline, up to this many missing vectors are computed first; if more are missing, the
 * answer is partial.
 */
const MAX_MISSING = 500;
const RATIO_FOR_VECTORS = 0.5;
/** Weight of the context in the direction of the query. */
const CONTEXT_WEIGHT = 0.5;

/**
 * Does everything that needs a model or waiting, before any lock is taken. Throws invalid_input or
 * conflict.
 */
export async function prepareRecall(
  { vectors, clock, options, read }: PrepareContext,
  request: RecallRequest,
): Promise<PreparedRecall> {
  const { timeout_ms: timeout, context = "" } = request;
  const query = (request.query ?? "").trim();
  checkRequest(request, query);
  const deadline = timeout === undefined ? undefined : new Deadline(options.pace ?? clock, timeout);
  const soon = deadline?.afterShare(RATIO_FOR_VECTORS);
  const work: VectorWork = { deadline: soon, ...options, limit: MAX_MISSING, onlyUrgent: true };
  const hasVectors = vectors.enabled && (query !== "" || request.context !== undefined);
  const [entities, state, entity, ahead] = await read((tx) =>
    settleAll(
      matchEntities(tx, query),
      vectors.readState(tx),
      entityOf(tx, request),
      lookAhead(tx, request, { hasVectors }),
    ),
  );
  const today = dayOf(request.as_of ?? request.known_at ?? clock.now());
  const texts = embeddingTexts(query, context, entities);
  const embed = async () =>
    texts.length === 0 ? undefined : vectors.embedQueries(texts, { ...work, known: state?.pin });
  // With a deadline the query is embedded first: that takes a millisecond, missing vectors take
  // seconds.
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
    ahead,
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
  const sum = query.map((value, index) => value + CONTEXT_WEIGHT * (context[index] ?? 0));
  const length = Math.hypot(...sum);
  return length === 0 ? query : sum.map((value) => value / length);
}
