import { and, eq, inArray, ne } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { lazy } from "../../shared/collections.ts";
import { openConflictBetween } from "../conflicts/open-conflict.ts";
import type { WriteContext } from "../context/write-context.ts";
import { entities } from "../entities/entity.table.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { DISPUTABLE_TYPES } from "../episodes/episode-types.ts";
import { claimFacts } from "../facts/claim-episode.ts";
import { episodeId } from "../input/item-ids.ts";
import { createAlternatives, matchesPart, matchGroups } from "../language/index.ts";
import {
  isNumber,
  MAX_STATEMENT_CHARACTERS,
  type Wording,
  Wordings,
} from "../language/wordings.ts";
import { wordingHash } from "../proposals/proposal.queries.ts";
import { convertDamage, DerivedDamage } from "../search/derived-damage.ts";
import { matchTexts } from "../search/match-texts.ts";
import { parseQueryWords } from "../search/query-words.ts";
import { type ActiveClaim, loadActiveEpisodes } from "./active-episodes.ts";
import { compareClaims } from "./compare-claims.ts";

export interface StoredStatement {
  readonly number: number;
  readonly content: string;
  readonly type: string;
}

export interface EarlierStatements {
  readonly id: string;
  /** `repeats`: same meaning. `contradicts`: at most one of the two is valid. */
  readonly relation: "repeats" | "contradicts";
  readonly text: string;
  readonly at: string;
  readonly conflict_id?: string;
}

const MAX_CANDIDATES = 20;
const MAX_EARLIER = 3;
/** Captures the rest of a clause after a negation. */
const negatedClause = lazy(
  () =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${createAlternatives("negations")})(?![\\p{L}\\p{N}])([^,.;:!?()]*)`,
      "giu",
    ),
);

/**
 * Finds earlier episodes that the new one repeats or contradicts, closest first, and opens a
 * conflict for each contradicted decision or preference.
 */
export async function findEarlier(
  context: WriteContext,
  stored: StoredStatement,
): Promise<EarlierStatements[]> {
  const { content, number, type } = stored;
  if (content.length > MAX_STATEMENT_CHARACTERS) return [];
  const { tx } = context;
  const query = { kind: "episode", limit: MAX_CANDIDATES } as const;
  const matches = await ignoreDamage(context, () =>
    matchTexts(tx, parseQueryWords(content), [query]),
  );
  if (matches === undefined) return [];
  const numbers = matches.episode.map((match) => match.number).filter((other) => other < number);
  if (numbers.length === 0) return [];
  const existing = await loadActiveEpisodes(tx, {
    types: [...new Set([type, ...DISPUTABLE_TYPES])],
    where: inArray(episodes.id, numbers),
    limit: MAX_CANDIDATES,
  });
  const hash = wordingHash(content);
  const same = existing.filter((one) => one.type === type && wordingHash(one.content) === hash);
  if (same.length > 0)
    return same.slice(0, MAX_EARLIER).map((one) => toEarlierStatement(one, "repeats"));
  if (!DISPUTABLE_TYPES.includes(type)) return [];
  const contradicted = await findContradicted(
    tx,
    stored,
    existing.filter((one) => DISPUTABLE_TYPES.includes(one.type)),
  );
  const answers: EarlierStatements[] = [];
  for (const one of contradicted.slice(0, MAX_EARLIER)) {
    const [factA, factB] = await claimFacts(context, [
      { id: episodeId(one.number), field: "content" },
      { id: episodeId(number), field: "content" },
    ]);
    const { id } = await openConflictBetween(context, {
      factA,
      factB,
      severity: "medium",
      description: null,
    });
    answers.push({ ...toEarlierStatement(one, "contradicts"), conflict_id: id });
  }
  return answers;
}

async function findContradicted(
  tx: Tx,
  stored: StoredStatement,
  earlierOnes: readonly ActiveClaim[],
) {
  const wordings = new Wordings();
  const contradicted = findContradictedBy(stored, earlierOnes, wordings);
  const others = earlierOnes.filter((one) => !contradicted.includes(one));
  return [...contradicted, ...(await findChanged(tx, { stored, earlierOnes: others, wordings }))];
}

/** Minimum word overlap, 0..1, on the same subject, with and without a shared entity. */
const MIN_SAME_SUBJECT = { withEntity: 0.08, byWords: 0.2 };

interface Change {
  readonly stored: StoredStatement;
  readonly earlierOnes: readonly ActiveClaim[];
  readonly wordings: Wordings;
}

/**
 * Finds earlier statements on the subject of a stated change ("Commit messages are conventional
 * from now on") or that affirm what it drops ("No more MLflow").
 */
async function findChanged(
  tx: Tx,
  { stored, earlierOnes, wordings }: Change,
): Promise<ActiveClaim[]> {
  const dropped = matchGroups("dropped", stored.content);
  const saysChanged = matchesPart("changes", stored.content);
  if (earlierOnes.length === 0 || (!saysChanged && dropped.length === 0)) return [];
  const negated = saysChanged ? negatedClauses(stored.content) : [];
  const affirming = affirmsAny([...dropped, ...negated], earlierOnes, wordings);
  const namesSame = await findSharingEntity(tx, stored.number, earlierOnes);
  const words = new Set(wordings.words(stored.content));
  return earlierOnes
    .map((one) => {
      const ofOne = new Set(wordings.words(one.content));
      const saysMore = [...words].some((word) => !ofOne.has(word));
      return { one, saysMore, share: sharedWordRatio(words, ofOne) };
    })
    .filter(({ one, share, saysMore }) => {
      const { withEntity, byWords } = MIN_SAME_SUBJECT;
      const isSameSubject = share >= (namesSame.has(one.number) ? withEntity : byWords);
      return affirming.has(one) || (saysChanged && saysMore && isSameSubject);
    })
    .sort((a, b) => b.share - a.share)
    .map(({ one }) => one);
}

/** A dropped name occurs in few statements; a more frequent word is not a name. */
const MAX_AFFIRMING = 4;

/** Returns the statements that affirm a rare, non-numeric word of the phrases. */
function affirmsAny(
  phrases: readonly string[],
  stored: readonly ActiveClaim[],
  wordings: Wordings,
): ReadonlySet<ActiveClaim> {
  if (phrases.length === 0) return new Set();
  const affirmed = new Map(stored.map((one) => [one, wordings.of(one.content).affirmed]));
  const found = new Set<ActiveClaim>();
  for (const word of new Set(phrases.flatMap((phrase) => wordings.words(phrase)))) {
    if (isNumber(word)) continue;
    const affirming = stored.filter((one) => affirmed.get(one)?.has(word));
    if (affirming.length <= MAX_AFFIRMING) for (const one of affirming) found.add(one);
  }
  return found;
}

function sharedWordRatio(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

/** Returns the episodes that share an entity, other than the project itself. */
async function findSharingEntity(
  tx: Tx,
  number: number,
  others: readonly ActiveClaim[],
): Promise<ReadonlySet<number>> {
  const named = tx
    .select({ id: episodeEntities.entityId })
    .from(episodeEntities)
    .innerJoin(entities, eq(entities.id, episodeEntities.entityId))
    .where(and(eq(episodeEntities.episodeId, number), ne(entities.type, "project")));
  const rows = await tx
    .selectDistinct({ episode: episodeEntities.episodeId })
    .from(episodeEntities)
    .where(
      and(
        inArray(episodeEntities.entityId, named),
        inArray(
          episodeEntities.episodeId,
          others.map((one) => one.number),
        ),
      ),
    );
  return new Set(rows.map(({ episode }) => episode));
}

interface Statement {
  readonly content: string;
  readonly type: string;
}

export function findContradictedBy<One extends Statement>(
  { content, type }: Statement,
  earlierOnes: readonly One[],
  wordings = new Wordings(),
): One[] {
  if (earlierOnes.length === 0) return [];
  const endsValidity = matchesPart("ending", content);
  const wording = wordings.of(content);
  if (!isClear(content, wording)) return [];
  const claim = {
    wording,
    type,
    corrects: false,
    retracts: endsValidity || matchesPart("retraction", content),
    endsValidity,
    amends: false,
  };
  const affirmed = [...wording.affirmed];
  return earlierOnes
    .map((one) => {
      const stored = wordings.of(one.content);
      const compared = compareClaims(claim, { wording: stored, type: one.type, wasShown: false });
      // "npm is not to be used: use pnpm" already includes "Never npm, use pnpm".
      const saysSo =
        !isClear(one.content, stored) &&
        affirmed.length > 0 &&
        affirmed.every((word) => stored.affirmed.has(word));
      return { one, saysSo, ...compared };
    })
    .filter(({ relation, isBare, saysSo }) => relation === "replaces" && !isBare && !saysSo)
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ one }) => one);
}

/** Returns false if a negation's object was not recognized, as in "npm is not to be used". */
function isClear(text: string, { rejected, ended }: Wording): boolean {
  return rejected.size > 0 || ended.length > 0 || negatedClauses(text).length === 0;
}

function negatedClauses(text: string): string[] {
  return Array.from(text.matchAll(negatedClause()), ([, clause = ""]) => clause);
}

function toEarlierStatement(
  stored: ActiveClaim,
  relation: EarlierStatements["relation"],
): EarlierStatements {
  return { id: episodeId(stored.number), relation, text: stored.content, at: stored.at };
}

/** Returns undefined if the text index is damaged, so that the episode is stored anyway. */
async function ignoreDamage<T>(
  { warnDamage }: WriteContext,
  search: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await convertDamage("text index", search);
  } catch (error) {
    if (!(error instanceof DerivedDamage)) throw error;
    warnDamage(error.part);
    return undefined;
  }
}
