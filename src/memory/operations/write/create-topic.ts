import { z } from "zod";
import { nameField, noteField } from "../../input/fields.ts";
import { insertTopic, toTopicRecord } from "../../topics/topic.queries.ts";
import { topicRecord } from "../../topics/topic.schema.ts";
import { defineOperation } from "../define-operation.ts";

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
