import { z } from "zod";
import { countConcepts, loadStrongestOfTopic } from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { countEpisodes, listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { countField, nameField } from "../../input/fields.ts";
import { countLabels, isAfterCursor } from "../../labels/label.queries.ts";
import { type LabelCount, labelCount } from "../../labels/label.schema.ts";
import {
  countTopics,
  listTopics as loadTopics,
  requireTopic,
  type TopicRow,
  toTopicRecord,
  toTopicRecords,
} from "../../topics/topic.queries.ts";
import { topicRecord } from "../../topics/topic.schema.ts";
import { createRecordList, defineList } from "../define-list.ts";
import { defineRecord } from "../define-record.ts";
import { placedOutput, takePart, wholeListInput } from "../paging.ts";

export const listLabels = defineList({
  name: "list_labels",
  summary: "List the labels in use with counts, most used first",
  input: z.strictObject({
    subject_type: z.enum(["episode", "concept"]).optional(),
    ...wholeListInput,
  }),
  output: z.object({ labels: z.array(labelCount), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/labels" },
  cli: { command: "list labels", example: "cairn list labels" },
  async list({ tx }, { subject_type: type, ...page }) {
    const all = await countLabels(tx, type);
    return createRecordList({
      order: "labels",
      page,
      positions: async (part) => takePart(all, part, isAfterCursor).map(getLocation),
      count: () => all.length,
      load: async (_tx, locations) => locations.map(toRecord),
    });
  },
  answer: (labels, numbers) => ({ labels, ...numbers }),
});

type LabelPosition = readonly [count: number, key: string, value: string];

const getLocation = ({ count, key, value }: LabelCount): LabelPosition => [count, key, value];

const toRecord = ([count, key, value]: LabelPosition): LabelCount => ({ key, value, count });

export const listTopics = defineList({
  name: "list_topics",
  summary: "List topics by name",
  input: z.strictObject(wholeListInput),
  output: z.object({ topics: z.array(topicRecord), ...placedOutput }),
  mcp: { interfaces: ["b"], fieldsOfPrograms: ["page", "limit", "cursor"] },
  rest: { method: "GET", path: "/topics" },
  cli: { command: "list topics", example: "cairn list topics" },
  list({ tx }, page) {
    const rows = new Map<string, TopicRow>();
    return createRecordList({
      order: "topics",
      page,
      async positions(part) {
        const found = await loadTopics(tx, part);
        for (const row of found) rows.set(row.id, row);
        return found.map(({ name, id }) => [name, id] as const);
      },
      count: () => countTopics(tx),
      load: (within, locations) =>
        toTopicRecords(
          within,
          locations.flatMap(([, id]) => rows.get(id) ?? []),
        ),
    });
  },
  answer: (topics, numbers) => ({ topics, ...numbers }),
});

export const topicOverview = defineRecord({
  name: "topic_overview",
  summary: "Show a topic with its strongest concepts and newest episodes",
  input: z.strictObject({ topic_id: nameField, k: countField.max(500).default(5) }),
  output: z.object({
    topic: topicRecord,
    concept_count: z.number().int(),
    episode_count: z.number().int(),
    concepts: z.array(conceptRecord),
    episodes: z.array(episodeRecord),
  }),
  mcp: { interfaces: ["b"] },
  rest: false,
  cli: { command: false, example: "cairn show deploys" },
  of: "topic_id",
  find: requireTopic,
  async show(tx, topic, { k }) {
    const filter = { topicId: topic.id };
    const strongest = await loadStrongestOfTopic(tx, topic.id, k);
    const newest = await listEpisodeNumbers(tx, filter, { limit: k, offset: 0 });
    return {
      topic: await toTopicRecord(tx, topic),
      concept_count: await countConcepts(tx, filter),
      episode_count: await countEpisodes(tx, filter),
      concepts: strongest,
      episodes: await loadEpisodes(tx, newest),
    };
  },
});
