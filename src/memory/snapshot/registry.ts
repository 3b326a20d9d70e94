import { type SQL, sql } from "drizzle-orm";
import { numberSet, readConcurrently, selectRows, type Tx } from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { groupBy } from "../../shared/collections.ts";
import { invalidInput } from "../../shared/errors.ts";
import { parseMoment } from "../../shared/time.ts";
import {
  listConceptNumbers,
  loadConcepts,
  loadStrongestConcepts,
  requireConcept,
} from "../concepts/concept.queries.ts";
import { loadConceptDetail } from "../concepts/load-concept-detail.ts";
import {
  countConflicts,
  listConflictPositions,
  loadConflicts,
} from "../conflicts/conflict.queries.ts";
import { cacheFirstRead, countOmitted, loadList, sliceShown } from "../context/sliced-list.ts";
import type { WriteContext } from "../context/write-context.ts";
import { listEntityRelations, requireEntity } from "../entities/entity.queries.ts";
import {
  loadClustersOfEntity,
  loadEntity,
  loadEpisodesOfEntity,
} from "../entities/mention.queries.ts";
import { listEpisodeNumbers, loadEpisodes } from "../episodes/episode.queries.ts";
import { lastEventSeq, listEvents } from "../events/event.queries.ts";
import { loadFacts, loadFactsOfClusters } from "../facts/fact.queries.ts";
import { createFeedFilter } from "../filters/feed-filter.ts";
import { NO_FILTER, toPredicate } from "../filters/filter-condition.ts";
import { FILTERED_TABLES, type FilteredKind } from "../filters/filtered-kinds.ts";
import { type FilterInput, type RecordFilter, resolveFilter } from "../filters/resolve-filter.ts";
import { parseLabel } from "../input/parse-labels.ts";
import { countLabels } from "../labels/label.queries.ts";
import { countFacets } from "../listing/count-facets.ts";
import { expiryTime, listProposalPositions, loadProposals } from "../proposals/proposal.queries.ts";
import { prepareRecall, recall } from "../recall/index.ts";
import type { RecallRequest } from "../recall/recall.schema.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import { loadStats } from "../stats/load-stats.ts";
import { requireTopic, toTopicRecord } from "../topics/topic.queries.ts";
import { createCountArgument, defineScope, type Scope } from "./define-scope.ts";

const topic = defineScope({
  name: "topic",
  summary: "A topic with its concepts and episodes",
  argument: { name: "id", form: "<id>", suggests: "topic" },
  filtering: "records",
  async read(context, id, _prepared, { predicate }) {
    const { tx } = context;
    const row = await requireTopic(tx, id, "topic");
    const topicId = row.id;
    const [shown, episodes, concepts] = await settleAll(
      toTopicRecord(tx, row),
      listEpisodeNumbers(tx, { topicId, passes: predicate?.("episode") }),
      listConceptNumbers(tx, { topicId, passes: predicate?.("concept") }),
    );
    const [remembered, known] = await settleAll(
      loadList(context, sliceShown(context, episodes), loadEpisodes),
      loadList(context, sliceShown(context, concepts), loadConcepts),
    );
    return {
      topic: shown,
      count: episodes.length + concepts.length,
      episodes: remembered,
      concepts: known,
      ...countOmitted(context, episodes, concepts),
    };
  },
});

const stats = defineScope({
  name: "stats",
  summary: "Counts and consolidation progress",
  filtering: { nothing: "it counts the whole database" },
  read: ({ tx }) => loadStats(tx),
});

const recent = defineScope({
  name: "recent",
  summary: "The newest episodes",
  argument: createCountArgument("recent", { name: "n" }, 1),
  filtering: "records",
  async read(context, argument, _prepared, { predicate }) {
    const { tx } = context;
    const page = { limit: Number(argument || "1"), offset: 0 };
    const numbers = await listEpisodeNumbers(tx, { passes: predicate?.("episode") }, page);
    return { count: numbers.length, episodes: await loadList(context, numbers, loadEpisodes) };
  },
});

const MAX_CONCEPTS = 10;

const query = defineScope({
  name: "query",
  summary: "Concepts found for a text",
  argument: { name: "text", form: "<text>", runsOnUntil: "comma" },
  filtering: "records",
  prepare: (context, text, input) =>
    prepareRecall(context, createRequest(text, input, getMoment(context))),
  async read(context, text, prepared, { filterInput }) {
    const { concepts } = await recall(
      context,
      createRequest(text, filterInput, context.now),
      prepared,
    );
    return { query: text, concepts };
  },
});

function createRequest(text: string, input: FilterInput, now: string): RecallRequest {
  const { as_of: asOf, known_at: knownAt, text: words, ...narrowedBy } = input;
  if (words !== undefined) {
    throw invalidInput("text: the scope query has its own search words; pass them there");
  }
  const toMoment = (moment: unknown) =>
    typeof moment === "string" ? parseMoment(moment, "end", new Date(now)) : undefined;
  return {
    query: text,
    k: MAX_CONCEPTS,
    episode_k: 0,
    as_of: toMoment(asOf),
    known_at: toMoment(knownAt),
    narrowedBy,
  };
}

const getMoment = ({ clock }: PrepareContext): string => toTimestamp(clock.now());

const proposals = defineScope({
  name: "proposals",
  summary: "Proposed memories that await review",
  filtering: "records",
  async read(context, _argument, _prepared, { predicate }) {
    const faded = expiryTime(context);
    const passes = predicate?.("proposal");
    const locations = await listProposalPositions(context.tx, { status: "open", faded, passes });
    const numbers = locations.map(([, number]) => number);
    return {
      count: numbers.length,
      proposals: await loadList(context, sliceShown(context, numbers), (tx, slice) =>
        loadProposals(tx, slice, faded),
      ),
      ...countOmitted(context, numbers),
    };
  },
});

const pending = defineScope({
  name: "pending",
  summary: "Episodes that are not reviewed yet, with their entities; the n newest, or all",
  argument: createCountArgument("pending", { name: "n", optional: true }, 1),
  filtering: "records",
  async read(context, argument, _prepared, { predicate }) {
    const all = await listEpisodeNumbers(context.tx, {
      pending: true,
      passes: predicate?.("episode"),
    });
    const limited =
      argument === "" ? context : { ...context, options: { maxItems: Number(argument) } };
    const entities = new Set<string>();
    const episodes = await loadList(context, sliceShown(limited, all), async (tx, numbers) => {
      const records = await loadEpisodes(tx, numbers);
      for (const record of records) for (const entity of record.entities) entities.add(entity);
      return records;
    });
    return {
      count: all.length,
      episodes,
      entities: cacheFirstRead(episodes, () => [...entities]),
      ...countOmitted(limited, all),
    };
  },
});

const labels = defineScope({
  name: "labels",
  summary: "Labels in use, with counts",
  filtering: "records",
  async read(context, _argument, _prepared, { parts }) {
    const found =
      parts.length === 0 ? await countLabels(context.tx) : await countWithLabel(context, parts);
    return {
      count: found.length,
      labels: await loadList(context, sliceShown(context, found), async (_tx, slice) => [...slice]),
      ...countOmitted(context, found),
    };
  },
});

async function countWithLabel({ tx }: WriteContext, filter: RecordFilter) {
  const query = { kinds: ["episode", "concept"], filter, limit: Number.POSITIVE_INFINITY } as const;
  const { label = [] } = await countFacets(tx, ["label"], query);
  return label.map(({ value, count }) => ({ ...parseLabel(value), count }));
}

const label = defineScope({
  name: "label",
  summary: "All items with a label (key=value)",
  argument: {
    name: "label",
    form: "<key>=<value>",
    suggests: "label",
    check: (text) => void parseLabel(text),
    runsOnUntil: "commaOrSpace",
  },
  filtering: "records",
  async read(context, argument, _prepared, filter) {
    const { tx } = context;
    const requested = parseLabel(argument);
    const carries = await resolveFilter(context, { ...NO_FILTER, labels: [requested] });
    const passing = toPredicate([...carries, ...filter.parts]);
    const [episodes, concepts] = await settleAll(
      listEpisodeNumbers(tx, { passes: passing?.("episode") }),
      listConceptNumbers(tx, { passes: passing?.("concept") }),
    );
    const [remembered, known] = await settleAll(
      loadList(context, sliceShown(context, episodes), loadEpisodes),
      loadList(context, sliceShown(context, concepts), loadConcepts),
    );
    return {
      ...requested,
      count: episodes.length + concepts.length,
      episodes: remembered,
      concepts: known,
      ...countOmitted(context, episodes, concepts),
    };
  },
});

const events = defineScope({
  name: "events",
  summary: "The change feed after a sequence number",
  argument: createCountArgument("events", { name: "since_seq", optional: true }, 0),
  filtering: "records",
  async read(context, argument, _prepared, { parts }) {
    const { tx } = context;
    const sinceSeq = Number(argument || "0");
    const limit = Math.max(1, (await lastEventSeq(tx)) - sinceSeq);
    const found = await listEvents(tx, {
      sinceSeq,
      limit,
      filter: createFeedFilter("event", parts),
    });
    return {
      since_seq: sinceSeq,
      count: found.length,
      events: await loadList(context, found, async (_tx, slice) => [...slice]),
      next_since_seq: found.at(-1)?.seq ?? sinceSeq,
    };
  },
});

/** Filters apply to the entity's episodes and clusters. */
const entity = defineScope({
  name: "entity",
  summary: "An entity (type:name) with its episodes, fact clusters and relations",
  argument: { name: "id", form: "<type>:<name>", suggests: "entity" },
  filtering: "records",
  async read(context, id, _prepared, { predicate }) {
    const { tx } = context;
    const row = await requireEntity(tx, id);
    const [allClusters, allEpisodes, shown, relations] = await settleAll(
      loadClustersOfEntity(tx, row.id),
      loadEpisodesOfEntity(tx, row.id),
      loadEntity(tx, row),
      listEntityRelations(tx, row.id),
    );
    const [clusters, episodes] = await settleAll(
      findMatchingNumbers(tx, "concept", { numbers: allClusters, passes: predicate?.("concept") }),
      findMatchingNumbers(tx, "episode", { numbers: allEpisodes, passes: predicate?.("episode") }),
    );
    const [records, withFacts] = await settleAll(
      loadList(context, sliceShown(context, episodes), loadEpisodes),
      loadList(context, sliceShown(context, clusters), loadWithFacts),
    );
    return {
      entity: shown,
      episodes: records,
      fact_clusters: withFacts,
      relations,
      ...countOmitted(context, episodes, clusters),
    };
  },
});

async function loadWithFacts(tx: Tx, clusters: readonly number[]) {
  const [records, numbers] = await settleAll(
    loadConcepts(tx, clusters),
    loadFactsOfClusters(tx, clusters, { status: "active" }),
  );
  const facts = await loadFacts(tx, numbers);
  const factsOf = groupBy(facts, (fact) => fact.cluster_id);
  return records.map((record) => ({ ...record, facts: factsOf.get(record.id) ?? [] }));
}

interface MatchRequest {
  readonly numbers: readonly number[];
  readonly passes: SQL | undefined;
}

async function findMatchingNumbers(
  tx: Tx,
  kind: FilteredKind,
  { numbers, passes }: MatchRequest,
): Promise<readonly number[]> {
  if (passes === undefined || numbers.length === 0) return numbers;
  const { from, number } = FILTERED_TABLES[kind];
  const rows = await selectRows<[number: number]>(
    tx,
    sql`select ${number} from ${from} where ${number} in (${numberSet(numbers)}) and ${passes}`,
  );
  const passed = new Set(rows.map(([found]) => found));
  return numbers.filter((one) => passed.has(one));
}

const conflicts = defineScope({
  name: "conflicts",
  summary: "Open conflicts with both facts",
  filtering: "records",
  async read(context, _argument, _prepared, { predicate }) {
    const locations = await listConflictPositions(context.tx, {
      status: "open",
      passes: predicate?.("conflict"),
    });
    const numbers = locations.map(([, number]) => number);
    return {
      count: numbers.length,
      conflicts: await loadList(context, sliceShown(context, numbers), loadConflicts),
      ...countOmitted(context, numbers),
    };
  },
});

const concept = defineScope({
  name: "concept",
  summary: "A concept with its episodes, evidence, lineage and facts",
  argument: { name: "id", form: "<id>", suggests: "concept" },
  filtering: { nothing: "it shows one record" },
  async read({ tx }, id) {
    const detail = await loadConceptDetail(tx, await requireConcept(tx, id, "concept"));
    return { ...detail, superseded_facts: detail.superseded_facts ?? [] };
  },
});

const DEFAULT_COUNT = "10";

/** Stable context for the start of a session, without time dependency. `stats` ignores filters. */
const bootstrap = defineScope({
  name: "bootstrap",
  summary:
    "Stable context for the start of a session: strongest concepts, number of open conflicts, statistics",
  argument: createCountArgument("bootstrap", { name: "n", optional: true }, 0),
  filtering: "records",
  async read({ tx }, argument, _prepared, { predicate }) {
    const [concepts, open, stats] = await readConcurrently(tx, [
      () => loadStrongestConcepts(tx, Number(argument || DEFAULT_COUNT), predicate?.("concept")),
      () => countConflicts(tx, { status: "open", passes: predicate?.("conflict") }),
      () => loadStats(tx),
    ]);
    return { count: concepts.length, concepts, open_conflicts: open, stats };
  },
});

export const SNAPSHOT_SCOPES = [
  bootstrap,
  pending,
  conflicts,
  proposals,
  labels,
  stats,
  recent,
  concept,
  entity,
  label,
  query,
  events,
  topic,
] as const satisfies readonly Scope[];

type BuiltIn = {
  [Definition in (typeof SNAPSHOT_SCOPES)[number] as Definition["name"]]: Definition;
};

export type ScopeName = keyof BuiltIn;

export type SectionOf<Name extends ScopeName> = Awaited<ReturnType<BuiltIn[Name]["read"]>>;
