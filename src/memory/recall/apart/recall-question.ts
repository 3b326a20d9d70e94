import type { Reading, SimilarityBackground } from "../../../embedding/index.ts";
import { systemClock } from "../../../shared/clock.ts";
import { Deadline } from "../../../shared/deadline.ts";
import type { DerivedPart } from "../../context/derived-part.ts";
import type { MemoryPlace } from "../../context/memory-place.ts";
import { ALONE } from "../../context/shared-search.ts";
import { queryTokens } from "../../search/query-vectors.ts";
import type { PreparedRecall, QueryDirection } from "../prepare-recall.ts";
import type { RecallOutput, RecallRequest } from "../recall.schema.ts";

/** A recall that another process does: everything was decided, and the query read, by the one that asks. */
export interface RecallQuestion {
  readonly kind: "recall";
  /** Absolute path of the database file. */
  readonly path: string;
  readonly request: RecallRequest;
  readonly prepared: SentRecall;
  /** The time of the call, as a timestamp. */
  readonly now: string;
  /** Milliseconds that are left of the call; undefined if it has no limit. */
  readonly leftMs: number | undefined;
  readonly episodeTypes: readonly string[];
  readonly place: MemoryPlace;
  /** The answer's text is written for a model. */
  readonly isModel: boolean;
}

/** Closes this file, which somebody wants to move or to have for himself. */
export interface ForgetQuestion {
  readonly kind: "forget";
  readonly path: string;
}

/** Asked first: the answer says that the process is ready. */
export interface GreetQuestion {
  readonly kind: "greet";
}

export type ProcessQuestion = RecallQuestion | ForgetQuestion | GreetQuestion;

export interface RecallAnswer {
  readonly output: RecallOutput;
  /** What was found and `max_chars` left no room for; best first. */
  readonly leftOut: readonly { readonly id: string; readonly score: number }[];
  /** Damaged parts that were done without. */
  readonly damaged: readonly DerivedPart[];
}

/** `PreparedRecall` in a form that can be sent to another process. */
interface SentRecall extends Omit<PreparedRecall, "vector" | "deadline" | "layers"> {
  readonly vector: SentDirection | undefined;
  /** Undefined if there is no time limit. */
  readonly deadlineMs: number | undefined;
}

interface SentDirection extends Omit<QueryDirection, "tokens"> {
  readonly tokens:
    | { readonly reading: Reading; readonly background: SimilarityBackground }
    | undefined;
}

/** Of one that is no part of a search over several layers. */
export function toSend(recall: PreparedRecall): SentRecall {
  const { vector, deadline, layers: _alone, ...plain } = recall;
  return { ...plain, vector: vector && sentDirection(vector), deadlineMs: deadline?.left };
}

function sentDirection({ tokens, ...plain }: QueryDirection): SentDirection {
  return {
    ...plain,
    tokens: tokens && { reading: tokens.query.reading, background: tokens.background },
  };
}

/** What `toSend` was given. */
export function asPrepared({ vector, deadlineMs, ...plain }: SentRecall): PreparedRecall {
  return {
    ...plain,
    layers: ALONE,
    vector: vector && {
      ...vector,
      tokens: queryTokens(vector.tokens?.reading, vector.tokens?.background),
    },
    deadline: deadlineMs === undefined ? undefined : new Deadline(systemClock, deadlineMs),
  };
}
