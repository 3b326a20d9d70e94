import { type SQL, sql } from "drizzle-orm";
import { numberSet, selectRows, type Tx } from "../../database/index.ts";
import { groupBy, indexBy } from "../../shared/collections.ts";
import { loadConcepts } from "../concepts/concept.queries.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { entityId } from "../entities/entity.queries.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import { loadFacts } from "../facts/fact.queries.ts";
import { facts } from "../facts/fact.table.ts";
import { presentStatements } from "../facts/present-statements.ts";
import { isInOpenConflict } from "../filters/disputed-facts.ts";
import { conflictId, parseNumberedId } from "../input/item-ids.ts";
import type { ItemRecord } from "./item.schema.ts";
import type { ItemKind } from "./item-kinds.ts";

export interface ItemNumber {
  readonly kind: ItemKind;
  readonly number: number;
}

const MAX_SHOWN_CHARACTERS = 2000;

export async function loadItems(tx: Tx, items: readonly ItemNumber[]): Promise<ItemRecord[]> {
  const numbers = groupBy(items, ({ kind }) => kind);
  const rows = new Map<string, ItemRecord>();
  for (const [kind, of] of numbers) {
    const requested = of.map(({ number }) => number);
    const loaded = await ROW_LOADERS[kind](tx, requested);
    for (const [number, row] of loaded) rows.set(`${kind} ${number}`, row);
  }
  return items.flatMap(({ kind, number }) => rows.get(`${kind} ${number}`) ?? []);
}

type Loader = (tx: Tx, numbers: readonly number[]) => Promise<Map<number, ItemRecord>>;

const ROW_LOADERS: Readonly<Record<ItemKind, Loader>> = {
  episode: loadEpisodeRows,
  fact: loadFactRows,
  concept: loadConceptRows,
  entity: loadEntityRows,
};

async function loadEpisodeRows(tx: Tx, numbers: readonly number[]) {
  const disputes = await loadOpenConflictsBy(tx, sql`${facts.episodeId}`, numbers);
  return indexByNumber(
    numbers,
    await loadEpisodes(tx, numbers),
    numberOfEpisode,
    (record, number) => ({
      ...episodeFields(record),
      id: record.id,
      kind: "episode",
      type: record.episode_type,
      ...cutText(record.content),
      at: record.occurred_at ?? record.created_at,
      created_at: record.created_at,
      updated_at: record.updated_at,
      processed: record.processed,
      fact_id: record.fact_id,
      status: record.valid_to === undefined ? null : "superseded",
      valid_to: record.valid_to ?? null,
      open_conflicts: disputes.get(number) ?? [],
    }),
  );
}

async function loadFactRows(tx: Tx, numbers: readonly number[]) {
  const records = await loadFacts(tx, numbers);
  const disputes = await loadOpenConflictsBy(tx, sql`${facts.id}`, numbers);
  const messages = records.map(({ episode_id: id }) => parseNumberedId(id, "episode", "episode"));
  const claims = indexBy(await loadEpisodes(tx, messages), ({ id }) => id);
  return indexByNumber(numbers, records, numberOfFact, (record, number) => {
    const claim = claims.get(record.episode_id);
    return {
      ...(claim === undefined ? EMPTY_FIELDS : episodeFields(claim)),
      id: record.id,
      kind: "fact",
      type: "fact",
      ...cutText(record.statement),
      at: record.valid_from,
      created_at: record.created_at,
      updated_at: record.valid_to ?? claim?.updated_at ?? record.created_at,
      fact_id: record.id,
      episode_id: record.episode_id,
      cluster_id: record.cluster_id,
      status: record.status,
      valid_from: record.valid_from,
      valid_to: record.valid_to,
      open_conflicts: disputes.get(number) ?? [],
    };
  });
}

async function loadConceptRows(tx: Tx, numbers: readonly number[]) {
  const records = await loadConcepts(tx, numbers);
  const disputes = await loadOpenConflictsBy(tx, sql`${facts.clusterId}`, numbers);
  const stated = await presentStatements(tx, numbers);
  const messages = Array.from(stated.values(), ({ fact }) => fact);
  const about = indexBy(await loadFacts(tx, messages), numberOfFact);
  return new Map(
    records.map((record, index): [number, ItemRecord] => {
      const number = numbers[index] ?? 0;
      const present = stated.get(number);
      return [
        number,
        {
          ...EMPTY_FIELDS,
          id: record.id,
          kind: "concept",
          type: record.type,
          title: record.title,
          ...cutText(record.summary || (present?.statement ?? "")),
          entities: (present && about.get(present.fact)?.entities) ?? [],
          at: record.created_at,
          created_at: record.created_at,
          updated_at: record.updated_at,
          topic_id: record.topic_id,
          labels: record.labels,
          confidence: record.confidence,
          open_conflicts: disputes.get(number) ?? [],
        },
      ];
    }),
  );
}

async function loadEntityRows(tx: Tx, numbers: readonly number[]) {
  const rows = await selectRows<[number, string, string, string, number]>(
    tx,
    sql`select entities.id, entities.type, entities.name, entities.created_at, (
      select count(*) from episode_entities mention
      inner join episodes on episodes.id = mention.episode_id
      where mention.entity_id = entities.id and episodes.deleted_at is null) as mentions
    from entities where entities.id in (${numberSet(numbers)})`,
  );
  return new Map(
    rows.map(([number, type, name, createdAt, mentions]): [number, ItemRecord] => [
      number,
      {
        ...EMPTY_FIELDS,
        id: entityId({ type, name }),
        kind: "entity",
        type,
        title: name,
        ...cutText(""),
        at: createdAt,
        created_at: createdAt,
        updated_at: createdAt,
        mention_count: mentions,
      },
    ]),
  );
}

const EMPTY_FIELDS = {
  title: null,
  asserted_by: null,
  source_ref: null,
  session: null,
  topic_id: null,
  entities: [],
  labels: [],
  processed: null,
  fact_id: null,
  episode_id: null,
  cluster_id: null,
  status: null,
  valid_from: null,
  valid_to: null,
  confidence: null,
  mention_count: null,
  open_conflicts: [],
} satisfies Partial<ItemRecord>;

/** Fields that an episode and its list item share; a new one must be mapped to compile. */
type OfEpisode = Pick<
  EpisodeRecord,
  Exclude<keyof EpisodeRecord & keyof ItemRecord, keyof OfItself>
>;

type OfItself = Pick<
  ItemRecord,
  "id" | "created_at" | "updated_at" | "processed" | "fact_id" | "valid_to"
>;

function episodeFields(record: EpisodeRecord) {
  const shared: OfEpisode = {
    asserted_by: record.asserted_by,
    source_ref: record.source_ref,
    session: record.session,
    topic_id: record.topic_id,
    entities: record.entities,
    labels: record.labels,
  };
  return { ...EMPTY_FIELDS, ...shared };
}

function cutText(text: string): { text: string; cut: boolean } {
  // A character has at most two code units, so a shorter text needs no counting.
  if (text.length <= MAX_SHOWN_CHARACTERS) return { text, cut: false };
  const characters = Array.from(text.slice(0, 2 * MAX_SHOWN_CHARACTERS + 2));
  return {
    text: characters.slice(0, MAX_SHOWN_CHARACTERS).join(""),
    cut: characters.length > MAX_SHOWN_CHARACTERS,
  };
}

const numberOfEpisode = ({ id }: { id: string }) => parseNumberedId(id, "episode", "id");
const numberOfFact = ({ id }: { id: string }) => parseNumberedId(id, "fact", "id");

function indexByNumber<Record>(
  numbers: readonly number[],
  records: readonly Record[],
  getNumber: (record: Record) => number,
  toRow: (record: Record, number: number) => ItemRecord,
): Map<number, ItemRecord> {
  const known = indexBy(records, getNumber);
  return new Map(
    numbers.flatMap((number): [number, ItemRecord][] => {
      const record = known.get(number);
      return record === undefined ? [] : [[number, toRow(record, number)]];
    }),
  );
}

async function loadOpenConflictsBy(
  tx: Tx,
  column: SQL,
  numbers: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await selectRows<[owner: number, conflict: number]>(
    tx,
    sql`select distinct ${column}, ${conflicts.id} from ${facts} inner join ${conflicts}
      on ${conflicts.status} = 'open' and ${facts.id} in (${conflicts.factA}, ${conflicts.factB})
      where ${column} in (${numberSet(numbers)}) and ${isInOpenConflict()}
      order by ${conflicts.id}`,
  );
  const groups = groupBy(rows, ([owner]) => owner);
  return new Map(
    Array.from(groups, ([owner, found]) => [owner, found.map(([, id]) => conflictId(id))]),
  );
}
