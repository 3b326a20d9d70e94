import { eq } from "drizzle-orm";
import { z } from "zod";
import { withMeta } from "../../../shared/fields.ts";
import { concepts } from "../../concepts/concept.table.ts";
import { episodes } from "../../episodes/episode.table.ts";
import { idOf } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { requireSubject } from "../../items/require-subject.ts";
import { requireTopic } from "../../topics/topic.queries.ts";
import { defineOperation } from "../define-operation.ts";

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
