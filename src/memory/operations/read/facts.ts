import { z } from "zod";
import { loadConcept, requireConcept } from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { loadConflicts } from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { entityId, requireEntity } from "../../entities/entity.queries.ts";
import { loadFacts, loadFactsOfClusters, requireFact } from "../../facts/fact.queries.ts";
import { factRecord } from "../../facts/fact.schema.ts";
import { loadConflictsOfFacts, loadFactsOfEntity } from "../../facts/fact-timeline.queries.ts";
import { idOf } from "../../input/fields.ts";
import { parseNumberedId } from "../../input/item-ids.ts";
import { defineRecord } from "../define-record.ts";
import { listNumbers, listOutput, numberedPageInput, toPage } from "../paging.ts";

const timelineOutput = {
  facts: z.array(factRecord),
  conflicts: z.array(conflictRecord),
};

export const getFact = defineRecord({
  name: "get_fact",
  summary: "Show a fact with its cluster, ordered by validity",
  input: z.strictObject({ fact_id: idOf("fact") }),
  output: factRecord.extend({
    timeline: z.array(factRecord),
    conflicts: z.array(conflictRecord),
  }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/facts/{fact_id}" },
  cli: { command: false, example: "cairn show fact:3" },
  of: "fact_id",
  find: requireFact,
  async show(tx, row) {
    const [fact] = await loadFacts(tx, [row.id]);
    if (fact === undefined) throw new Error(`The fact ${row.id} has no record.`);
    const timeline = sortByTime(
      await loadFacts(tx, await loadFactsOfClusters(tx, [row.clusterId])),
    );
    return {
      ...fact,
      timeline,
      conflicts: await loadConflicts(tx, await loadConflictsOfFacts(tx, [row.id])),
    };
  },
});

export const clusterTimeline = defineRecord({
  name: "cluster_timeline",
  summary: "Show a fact cluster over time, with its conflicts",
  input: z.strictObject({ cluster_id: idOf("concept") }),
  output: z.object({ cluster: conceptRecord, ...timelineOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/clusters/{cluster_id}/timeline" },
  cli: { command: false, example: "cairn show CLUSTER" },
  of: "cluster_id",
  find: requireConcept,
  async show(tx, row) {
    const numbers = await loadFactsOfClusters(tx, [row.id]);
    return {
      cluster: await loadConcept(tx, row.id),
      facts: sortByTime(await loadFacts(tx, numbers)),
      conflicts: await loadConflicts(tx, await loadConflictsOfFacts(tx, numbers)),
    };
  },
});

export const entityFacts = defineRecord({
  name: "entity_facts",
  summary: "List the facts about an entity, ordered by validity",
  input: z.strictObject({ entity_id: idOf("entity"), ...numberedPageInput }),
  output: z.object({ entity_id: z.string(), ...timelineOutput, ...listOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/entities/{entity_id}/facts" },
  cli: { command: false, example: "cairn list facts --entity tool:postgres" },
  of: "entity_id",
  find: requireEntity,
  async show(tx, entity, input) {
    const numbers = await loadFactsOfEntity(tx, entity.id);
    const { offset, limit } = toPage(input) ?? { offset: 0, limit: numbers.length };
    const page = numbers.slice(offset, offset + limit);
    return {
      entity_id: entityId(entity),
      facts: await loadFacts(tx, page),
      conflicts: await loadConflicts(tx, await loadConflictsOfFacts(tx, page)),
      ...listNumbers(input, numbers.length),
    };
  },
});

type TimelineFact = z.output<typeof factRecord>;

function sortByTime(facts: readonly TimelineFact[]): TimelineFact[] {
  const number = ({ id }: TimelineFact) => parseNumberedId(id, "fact", "id");
  return [...facts].sort((a, b) =>
    a.valid_from === b.valid_from ? number(a) - number(b) : a.valid_from < b.valid_from ? -1 : 1,
  );
}
