import { eq } from "drizzle-orm";
import { z } from "zod";
import { stateConflict } from "../../../kernel/errors.ts";
import { nameField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { requireTopic, topicUses } from "../../topics/topic.queries.ts";
import { topics } from "../../topics/topic.table.ts";
import { defineOperation } from "../define-operation.ts";

export const deleteTopic = defineOperation({
  name: "delete_topic",
  summary: "Delete a topic that no episode or concept uses",
  kind: "write",
  input: z.strictObject({ topic_id: nameField, if_match: ifMatchField.optional() }),
  output: z.object({ id: z.string() }),
  mcp: { interfaces: ["b"], destructive: true },
  rest: { method: "DELETE", path: "/topics/{topic_id}" },
  confirm: (_input, { id }) => `Deleted the topic ${id}.`,
  cli: {
    command: "topic-delete",
    positionals: ["topic_id"],
    example: "cairn topic-delete deploys",
  },
  async writes(tx, input) {
    return [(await requireTopic(tx, input.topic_id, "topic_id")).id];
  },
  async run(context, input) {
    const { tx } = context;
    const row = await requireTopic(tx, input.topic_id, "topic_id");
    const uses = await topicUses(tx, row.id);
    if (uses > 0) {
      throw stateConflict(
        `topic_id: "${row.id}" is used by ${uses} episode(s) or concept(s), deleted ones included; give those another topic first`,
      );
    }
    await tx.delete(topics).where(eq(topics.id, row.id));
    await context.emit({ kind: "deleted", subjectType: "topic", subjectId: row.id });
    return { id: row.id };
  },
});
