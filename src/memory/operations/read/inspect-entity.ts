import { z } from "zod";
import { loadConcepts } from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { listEntityRelations, requireEntity } from "../../entities/entity.queries.ts";
import { entityRecord, entityRelationRecord } from "../../entities/entity.schema.ts";
import {
  countMentions,
  listConceptPositionsOfEntity,
  listEpisodePositionsOfEntity,
  loadClustersOfEntity,
  loadEntity,
  loadEpisodesOfEntity,
} from "../../entities/mention.queries.ts";
import { loadEpisodes } from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { idOf } from "../../input/fields.ts";
import { createRecordList, defineList, listByNumber } from "../define-list.ts";
import { defineRecord } from "../define-record.ts";
import { isOlder, placedOutput, takePart, wholeListInput } from "../paging.ts";

const MAX_NEWEST = 10;

export const inspectEntity = defineRecord({
  name: "inspect_entity",
  summary: "Show an entity with its newest episodes, fact clusters and relations",
  input: z.strictObject({
    entity_id: idOf("entity").describe("type:name"),
    show_relations: z.boolean().default(true),
  }),
  output: z.object({
    entity: entityRecord,
    episodes: z.array(episodeRecord),
    fact_clusters: z.array(conceptRecord),
    relations: z.array(entityRelationRecord).optional(),
  }),
  rest: { method: "GET", path: "/entities/{entity_id}/inspect" },
  cli: { command: false, example: "cairn show person:Ada" },
  of: "entity_id",
  find: requireEntity,
  async show(tx, row, input) {
    const newest = (await loadEpisodesOfEntity(tx, row.id)).slice(0, MAX_NEWEST);
    return {
      entity: await loadEntity(tx, row),
      episodes: await loadEpisodes(tx, newest),
      fact_clusters: await loadConcepts(tx, await loadClustersOfEntity(tx, row.id)),
      ...(input.show_relations && { relations: await listEntityRelations(tx, row.id) }),
    };
  },
});

export const getEntity = defineRecord({
  name: "get_entity",
  summary: "Show an entity with its relations",
  input: z.strictObject({ entity_id: idOf("entity") }),
  output: entityRecord.extend({ relations: z.array(entityRelationRecord) }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/entities/{entity_id}" },
  cli: { command: false },
  of: "entity_id",
  find: requireEntity,
  async show(tx, row) {
    return { ...(await loadEntity(tx, row)), relations: await listEntityRelations(tx, row.id) };
  },
});

export const entityEpisodes = defineList({
  name: "entity_episodes",
  summary: "List the episodes that mention an entity, newest first",
  input: z.strictObject({ entity_id: idOf("entity"), ...wholeListInput }),
  output: z.object({ episodes: z.array(episodeRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/entities/{entity_id}/episodes" },
  cli: { command: false, example: "cairn list episodes --entity person:Ada" },
  async list({ tx }, { entity_id: id, ...page }) {
    const row = await requireEntity(tx, id);
    return createRecordList({
      order: "entity_episodes",
      page,
      positions: (part) => listEpisodePositionsOfEntity(tx, row.id, part),
      count: () => countMentions(tx, row.id),
      load: listByNumber(loadEpisodes),
    });
  },
  answer: (episodes, numbers) => ({ episodes, ...numbers }),
});

export const entityConcepts = defineList({
  name: "entity_concepts",
  summary: "List the concepts derived from an entity's episodes, newest first",
  input: z.strictObject({ entity_id: idOf("entity"), ...wholeListInput }),
  output: z.object({ concepts: z.array(conceptRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/entities/{entity_id}/concepts" },
  cli: { command: false, example: "cairn list concepts --entity person:Ada" },
  async list({ tx }, { entity_id: id, ...page }) {
    const all = await listConceptPositionsOfEntity(tx, (await requireEntity(tx, id)).id);
    return createRecordList({
      order: "entity_concepts",
      page,
      positions: async (part) => takePart(all, part, isOlder),
      count: () => all.length,
      load: listByNumber(loadConcepts),
    });
  },
  answer: (concepts, numbers) => ({ concepts, ...numbers }),
});
