import { sql } from "drizzle-orm";
import { listOfValues, numbersParameter, rowQuery, type Tx } from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import type { WriteContext } from "../context/write-context.ts";
import { factId } from "../input/item-ids.ts";
import { loadFacts, statementHash } from "./fact.queries.ts";
import type { CollisionRecord } from "./fact.schema.ts";

interface Statement {
  readonly id: number;
  readonly text: string;
}

/**
 * Ranks statements by similarity to `text`, newest first among equals: Jaccard index weighted by
 * ln(1 + n / n(word)), 0..1.
 */
export function rankByCloseness<Item extends Statement>(
  text: string,
  statements: readonly Item[],
): Item[] {
  return new ClosenessRanking().rank(text, statements);
}

class ClosenessRanking {
  readonly #words = new Map<string, ReadonlySet<string>>();

  rank<Item extends Statement>(text: string, statements: readonly Item[]): Item[] {
    return rankByWords(
      this.#getWords(text),
      statements.map((statement) => ({ statement, words: this.#getWords(statement.text) })),
    );
  }

  #getWords(text: string): ReadonlySet<string> {
    const words = this.#words.get(text) ?? splitWords(text);
    this.#words.set(text, words);
    return words;
  }
}

function rankByWords<Item extends Statement>(
  requested: ReadonlySet<string>,
  others: readonly { readonly statement: Item; readonly words: ReadonlySet<string> }[],
): Item[] {
  const counts = new Map<string, number>();
  for (const { words } of [...others, { words: requested }]) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const total = others.length + 1;
  const weights = new Map(
    Array.from(counts, ([word, count]) => [word, Math.log(1 + total / count)]),
  );
  let requestedCount = 0;
  for (const word of requested) requestedCount += weights.get(word) ?? 0;
  return others
    .map(({ statement, words }) => {
      let [common, own] = [0, 0];
      for (const word of words) {
        const weight = weights.get(word) ?? 0;
        own += weight;
        if (requested.has(word)) common += weight;
      }
      const all = requestedCount + own - common;
      return { statement, similarity: all === 0 ? 0 : common / all };
    })
    .sort((a, b) => b.similarity - a.similarity || b.statement.id - a.statement.id)
    .map(({ statement }) => statement);
}

/** Compared prefix length in letters, which ignores most inflections. */
const STEM_LENGTH = 6;

function splitWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.map((word) => (/\p{N}/u.test(word) ? word : word.slice(0, STEM_LENGTH))));
}

export interface NewFact {
  readonly number: number;
  readonly clusterId: number;
  readonly cluster: string;
  readonly statement: string;
  readonly entities: readonly number[];
  /** False for a cluster created by this fact, which has no other facts. */
  readonly joins: boolean;
}

export interface ShownCollisions {
  readonly collisions: CollisionRecord[];
  readonly collisions_total?: number;
  readonly collisions_omitted?: true;
}

const MAX_COLLISIONS = 5;

/**
 * Finds, for each new fact, the closest earlier active facts of its cluster that share an entity or
 * the text, and their total. Reads each cluster and text once.
 */
export async function showCollisions(
  { tx, collisions: requested }: WriteContext,
  created: readonly NewFact[],
): Promise<ShownCollisions[]> {
  const joined = created.filter(({ joins }) => joins);
  const others =
    requested.left > 0 ? await loadActiveFacts(tx, joined) : new Map<number, OtherFact[]>();
  const ranking = new ClosenessRanking();
  const answers = created.map((fact): FoundCollisions => {
    if (!fact.joins) return { collisions: [], collisions_total: 0 };
    if (requested.left <= 0) return { collisions: [], collisions_omitted: true };
    const found = findCollisions(fact, others.get(fact.clusterId) ?? []);
    requested.left -= found.length;
    const ranked = ranking.rank(fact.statement, found);
    const selected = requested.all ? ranked : ranked.slice(0, MAX_COLLISIONS);
    return {
      collisions: selected.map((other) => summarizeFact(other, fact)),
      collisions_total: found.length,
      numbers: selected.map(({ id }) => id),
    };
  });
  return requested.all
    ? toFullRecord(tx, answers)
    : answers.map(({ numbers: _, ...answer }) => answer);
}

interface FoundCollisions extends ShownCollisions {
  readonly numbers?: readonly number[];
}

function summarizeFact({ id, text, assertedBy, validFrom }: OtherFact, { cluster }: NewFact) {
  return {
    id: factId(id),
    cluster_id: cluster,
    statement: text,
    status: "active" as const,
    asserted_by: assertedBy,
    valid_from: validFrom,
  };
}

async function toFullRecord(
  tx: Tx,
  answers: readonly FoundCollisions[],
): Promise<ShownCollisions[]> {
  const numbers = new Set(answers.flatMap(({ numbers: listed = [] }) => listed));
  const records = new Map((await loadFacts(tx, [...numbers])).map((fact) => [fact.id, fact]));
  return answers.map(({ numbers: _, collisions, ...rest }) => ({
    ...rest,
    collisions: collisions.map((collision) => records.get(collision.id) ?? collision),
  }));
}

interface OtherFact {
  readonly id: number;
  readonly hash: string;
  readonly entities: ReadonlySet<string>;
  readonly text: string;
  readonly assertedBy: string | null;
  readonly validFrom: string;
}

/** Considers only facts with smaller numbers. */
function findCollisions(fact: NewFact, others: readonly OtherFact[]): OtherFact[] {
  const hash = statementHash(fact.statement);
  const about = fact.entities.map(String);
  return others.filter(
    (other) =>
      other.id < fact.number &&
      (other.hash === hash || about.some((entity) => other.entities.has(entity))),
  );
}

async function loadActiveFacts(
  tx: Tx,
  joined: readonly NewFact[],
): Promise<Map<number, OtherFact[]>> {
  if (joined.length === 0) return new Map();
  const clusters = new Set(joined.map(({ clusterId }) => clusterId));
  const rows = await activeFacts(tx, { clusters: listOfValues(clusters) });
  const found = rows.map(([cluster, id, hash, key, text, assertedBy, validFrom]) => ({
    cluster,
    fact: { id, hash, entities: new Set(key.split(",")), text, assertedBy, validFrom },
  }));
  return new Map(
    Array.from(
      groupBy(found, ({ cluster }) => cluster),
      ([cluster, group]) => [cluster, group.map(({ fact }) => fact)],
    ),
  );
}

type ActiveFact = [
  cluster: number,
  id: number,
  hash: string,
  key: string,
  text: string,
  assertedBy: string | null,
  validFrom: string,
];

const activeFacts = rowQuery<ActiveFact>(
  () =>
    sql`select facts.cluster_id, facts.id, facts.statement_hash, facts.entity_key, episodes.content,
        episodes.asserted_by, facts.valid_from
      from facts inner join episodes on episodes.id = facts.episode_id
      where facts.cluster_id in (${numbersParameter("clusters")}) and facts.status = 'active'
        and episodes.deleted_at is null
      order by facts.id`,
);
