import type { Tx } from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { MEMORY_KINDS, type MemoryKind } from "../context/indexed-kind.ts";
import { usingPart } from "../search/derived-damage.ts";
import { type CountedTerms, matchTexts } from "../search/match-texts.ts";
import type { TextMatch } from "../search/text-query.ts";
import { conceptInScope, episodeInScope, isNarrow, type RecallScope } from "./recall-scope.ts";
import type { SeedSearch } from "./seed-search.ts";
import { unlessLate } from "./unless-late.ts";

/** A larger number of candidates does not improve the ranking. */
const TEXT_CANDIDATES = 200;
/** Weight of a word of the context relative to a word of the query. */
const CONTEXT_WEIGHT = 0.5;

/** For each kind the numbers of the only items that may be found, if they are few. */
export type Among = Readonly<Record<MemoryKind, readonly number[] | undefined>>;

const NO_MATCHES: Readonly<Record<MemoryKind, readonly TextMatch[]>> = { episode: [], concept: [] };

export type FoundTexts = Readonly<Record<MemoryKind, Map<number, number>>>;

/** The best text matches within the scope: by number, the score as a share of the best score. */
export async function findTexts(
  tx: Tx,
  { prepared, scope, isLate }: SeedSearch,
  among: Promise<Among>,
): Promise<FoundTexts> {
  const found: FoundTexts = { episode: new Map(), concept: new Map() };
  const matchesOf = async (words: readonly string[], counted: CountedTerms | undefined) => {
    if (words.length === 0) return NO_MATCHES;
    const search = () =>
      matchTexts(
        tx,
        words,
        MEMORY_KINDS.map((kind) => ({
          kind,
          visible: visibleInScope(scope, kind),
          most: TEXT_CANDIDATES,
        })),
        { among, counted },
      );
    return unlessLate({ isLate }, () => usingPart("text index", search), NO_MATCHES);
  };
  const [ofQuery, ofContext] = await settleAll(
    matchesOf(prepared.words, prepared.ahead?.words),
    matchesOf(prepared.contextWords, prepared.ahead?.contextWords),
  );
  for (const { matches, share } of [
    { matches: ofQuery, share: 1 },
    { matches: ofContext, share: CONTEXT_WEIGHT },
  ]) {
    for (const kind of MEMORY_KINDS) {
      const best = matches[kind][0]?.score ?? 1;
      for (const { number, score } of matches[kind]) {
        found[kind].set(number, (found[kind].get(number) ?? 0) + (share * score) / best);
      }
    }
  }
  return found;
}

function visibleInScope(scope: RecallScope, kind: MemoryKind) {
  const condition = kind === "episode" ? episodeInScope(scope) : conceptInScope(scope);
  return {
    shape: scope.shape,
    values: scope.values,
    condition,
    isPart: isNarrow(scope),
    isTimed: scope.isTimed,
  };
}
