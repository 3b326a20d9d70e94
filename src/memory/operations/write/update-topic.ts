import { eq } from "drizzle-orm";
import { z } from "zod";
import { nameField, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { requireTopic, toTopicRecord } from "../../topics/topic.queries.ts";
import { topicRecord } from "../../topics/topic.schema.ts";
import { topics } from "../../topics/topic.table.ts";
import { defineUpdate } from "../define-update.ts";

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
