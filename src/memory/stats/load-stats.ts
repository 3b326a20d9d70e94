import { z } from "zod";
import { readConcurrently, type Tx } from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import { sharedSchema } from "../../shared/json-schema.ts";
import { lastEventSeq } from "../events/event.queries.ts";
import { AVOIDED_LABEL, MISTAKE_LABEL, REPEATED_LABEL } from "../mistakes/mistake.schema.ts";
import { addTotals, loadTotals, type Total } from "../totals.ts";

const byName = z.record(z.string(), z.number().int());

export const statsRecord = sharedSchema(
  "Stats",
  z.object({
    episodes: z.object({
      total: z.number().int(),
      processed: z.number().int(),
      unprocessed: z.number().int(),
      deleted: z.number().int(),
      by_type: byName,
    }),
    concepts: z.object({ total: z.number().int(), deleted: z.number().int(), by_type: byName }),
    facts: z.object({ active: z.number().int(), superseded: z.number().int() }),
    conflicts: z.object({
      open: z.number().int(),
      resolved: z.number().int(),
      dismissed: z.number().int(),
    }),
    consolidation: z.object({
      pending: z.number().int(),
      processed: z.number().int(),
      /** Share of processed episodes, 0..1; 1 if there are none. */
      ratio: z.number(),
    }),
    relations: z.object({ total: z.number().int(), by_type: byName }),
    entities: z.number().int(),
    entity_relations: z.number().int(),
    labels: z.number().int(),
    topics: z.number().int(),
    mistakes: z.object({
      kept: z.number().int(),
      avoided: z.number().int(),
      repeated: z.number().int(),
    }),
    last_seq: z.number().int(),
  }),
);

export type Stats = z.output<typeof statsRecord>;

export async function loadStats(tx: Tx): Promise<Stats> {
  const [counted, mistakes, lastSeq] = await readConcurrently(tx, [
    () => loadTotals(tx, { kinds: COUNTED_KINDS }),
    () => countMistakes(tx),
    () => lastEventSeq(tx),
  ]);
  const totals = groupBy(counted, ({ kind }) => kind);
  const of = (kind: (typeof COUNTED_KINDS)[number]) => totals.get(kind) ?? [];
  const named = (kind: (typeof COUNTED_KINDS)[number], name: string) =>
    addTotals(of(kind).filter((row) => row.name === name));
  const [episodes, deletedEpisodes] = splitCounts(of("episodes"));
  const [concepts, deletedConcepts] = splitCounts(of("concepts"));
  const total = addTotals(episodes);
  const processed = addTotals(episodes.filter(({ part }) => part === "processed"));
  return {
    episodes: {
      total,
      processed,
      unprocessed: total - processed,
      deleted: addTotals(deletedEpisodes),
      by_type: sumCounts(episodes),
    },
    concepts: {
      total: addTotals(concepts),
      deleted: addTotals(deletedConcepts),
      by_type: sumCounts(concepts),
    },
    facts: { active: named("facts", "active"), superseded: named("facts", "superseded") },
    conflicts: {
      open: named("conflicts", "open"),
      resolved: named("conflicts", "resolved"),
      dismissed: named("conflicts", "dismissed"),
    },
    consolidation: {
      pending: total - processed,
      processed,
      ratio: total === 0 ? 1 : processed / total,
    },
    relations: { total: addTotals(of("relations")), by_type: sumCounts(of("relations")) },
    entities: addTotals(of("entities")),
    entity_relations: addTotals(of("entity_relations")),
    labels: addTotals(of("labels")),
    topics: addTotals(of("topics")),
    mistakes,
    last_seq: lastSeq,
  };
}

async function countMistakes(tx: Tx): Promise<Stats["mistakes"]> {
  const names = [MISTAKE_LABEL, AVOIDED_LABEL, REPEATED_LABEL, ""];
  const totals = await loadTotals(tx, { kinds: ["episode_labels", "labels"], names });
  const sum = (name: string) => addTotals(totals.filter((row) => row.name === name));
  return { kept: sum(MISTAKE_LABEL), avoided: sum(AVOIDED_LABEL), repeated: sum(REPEATED_LABEL) };
}

const COUNTED_KINDS = [
  "episodes",
  "concepts",
  "facts",
  "conflicts",
  "relations",
  "entities",
  "entity_relations",
  "labels",
  "topics",
] as const;

function splitCounts(totals: readonly Total[]): [active: Total[], deleted: Total[]] {
  return [
    totals.filter(({ part }) => part !== "deleted"),
    totals.filter(({ part }) => part === "deleted"),
  ];
}

function sumCounts(totals: readonly Total[]): Record<string, number> {
  const byName: Record<string, number> = {};
  for (const { name, total } of totals) byName[name] = (byName[name] ?? 0) + total;
  return byName;
}
