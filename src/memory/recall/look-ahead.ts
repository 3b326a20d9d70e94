import { answersAreFar, type Tx } from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { MEMORY_KINDS } from "../context/indexed-kind.ts";
import { FILTER_NAMES } from "../filters/filter-table.ts";
import { type CountedTerms, countTermsOf } from "../search/match-texts.ts";
import { queryWords } from "../search/query-words.ts";
import { vectorIndexOf } from "../search/vector-index.ts";
import type { VectorStanding } from "../search/vector-query.ts";
import type { RecallRequest } from "./recall.schema.ts";

/**
 * What the search would ask first, read with what a recall prepares, where each answer is a round trip. It may be
 * a moment older than what is searched: how rare the words are and how many vectors there are.
 */
export interface LookedAhead {
  readonly words: CountedTerms | undefined;
  readonly contextWords: CountedTerms | undefined;
  /** Undefined if no vectors are searched. */
  readonly vectors: VectorStanding | undefined;
}

/** Undefined if answers are near, so that nothing is gained. */
export async function lookAhead(
  tx: Tx,
  request: RecallRequest,
  { hasVectors }: { readonly hasVectors: boolean },
): Promise<LookedAhead | undefined> {
  if (!answersAreFar(tx)) return undefined;
  const count = (text: string | undefined) => {
    const words = isNarrowed(request) ? [] : queryWords(text ?? "");
    return words.length === 0 ? NOTHING : countTermsOf(tx, words, MEMORY_KINDS);
  };
  const [words, contextWords, vectors] = await settleAll(
    count(request.query),
    count(request.context),
    hasVectors ? standingOf(tx) : NOTHING,
  );
  return { words, contextWords, vectors };
}

const NOTHING = Promise.resolve(undefined);

async function standingOf(tx: Tx): Promise<VectorStanding | undefined> {
  return vectorIndexOf(tx).standing?.(tx, MEMORY_KINDS);
}

function isNarrowed(request: RecallRequest): boolean {
  const given: Readonly<Record<string, unknown>> = { ...request, ...request.narrowedBy };
  const { as_of: asOf, known_at: knownAt } = request;
  return (
    asOf !== undefined ||
    knownAt !== undefined ||
    FILTER_NAMES.some((name) => name !== "text" && given[name] !== undefined)
  );
}
