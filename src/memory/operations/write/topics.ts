import { eq } from "drizzle-orm";
import { z } from "zod";
import { withMeta } from "../../../shared/fields.ts";
import { concepts } from "../../concepts/concept.table.ts";
import { episodes } from "../../episodes/episode.table.ts";
import { idOf, nameField, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { requireSubject } from "../../items/require-subject.ts";
import { insertTopic, requireTopic, toTopicRecord } from "../../topics/topic.queries.ts";
import { topicRecord } from "../../topics/topic.schema.ts";
import { topics } from "../../topics/topic.table.ts";
import { defineOperation } from "../define-operation.ts";
import { defineUpdate } from "../define-update.ts";

export const setTopic = defineOperation({
  name: "set_topic",
  summary: "Set the topic of an episode or a concept; empty removes it",
  target: "id",
  kind: "write",
  input: z.strictObject({
    id: idOf("item"),
    topic: withMeta(z.string().max(512), { names: "topic" }),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ id: z.string(), topic_id: z.string().nullable() }),
  mcp: { interfaces: false, idempotent: true },
  rest: false,
  confirm: ({ id, topic }) =>
    topic.trim() === "" ? `${id} has no topic now.` : `${id} belongs to the topic ${topic} now.`,
  cli: {
    command: "topic set",
    positionals: ["id", "topic"],
    example: "cairn topic set ep:1 deploys",
  },
  changeset: { op: "set_topic", nameless: true },
  async run(context, input) {
    const { tx, now } = context;
    const subject = await requireSubject(tx, input.id, "id");
    const topic =
      input.topic.trim() === "" ? undefined : await requireTopic(tx, input.topic, "topic");
    const topicId = topic?.id ?? null;
    const table = subject.type === "episode" ? episodes : concepts;
    await tx.update(table).set({ topicId, updatedAt: now }).where(eq(table.id, subject.number));
    await context.emit({
      kind: "updated",
      subjectType: subject.type,
      subjectId: input.id,
      payload: { op: "set_topic", topic: topicId },
      about: topicId === null ? [] : [topicId],
    });
    return { id: input.id, topic_id: topicId };
  },
});

export const createTopic = defineOperation({
  name: "create_topic",
  summary: "Create a topic for episodes and concepts",
  kind: "write",
  input: z.strictObject({ name: nameField, description: noteField.default("") }),
  output: topicRecord,
  mcp: { interfaces: ["b"] },
  rest: { method: "POST", path: "/topics" },
  confirm: (_input, { id }) => `Created topic ${id}.`,
  cli: {
    command: "topic create",
    positionals: ["name"],
    example: 'cairn topic create Deploys --description "How we ship"',
  },
  changeset: { op: "topic", text: "description" },
  async run(context, input) {
    const row = await insertTopic(context.tx, input, context.now);
    await context.emit({
      kind: "updated",
      subjectType: "topic",
      subjectId: row.id,
      payload: { op: "topic", name: row.name },
    });
    return toTopicRecord(context.tx, row);
  },
});

export const updateTopic = defineUpdate({
  name: "update_topic",
  summary: "Change the description of a topic",
  input: z.strictObject({
    topic_id: nameField,
    description: noteField,
    if_match: ifMatchField.optional(),
  }),
  output: topicRecord,
  mcp: { interfaces: ["b"], idempotent: true },
  rest: { method: "PATCH", path: "/topics/{topic_id}" },
  confirm: ({ topic_id: id }) => `Changed the topic ${id}.`,
  cli: {
    command: "topic update",
    positionals: ["topic_id", "description"],
    example: 'cairn topic update deploys "How we ship and roll back"',
  },
  async writes(tx, input) {
    return [(await requireTopic(tx, input.topic_id, "topic_id")).id];
  },
  async change(context, input) {
    const row = await requireTopic(context.tx, input.topic_id, "topic_id");
    const changes = { description: input.description, updatedAt: context.now };
    await context.tx.update(topics).set(changes).where(eq(topics.id, row.id));
    await context.emit({
      kind: "updated",
      subjectType: "topic",
      subjectId: row.id,
      payload: { op: "update_topic", description: input.description },
    });
    return { ...row, ...changes };
  },
  load: toTopicRecord,
});
