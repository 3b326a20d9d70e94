import { eq } from "drizzle-orm";
import { z } from "zod";
import { stateConflict } from "../../../shared/errors.ts";
import type { WriteContext } from "../../context/write-context.ts";
import { idOf, nameField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { kindOfId } from "../../input/item-ids.ts";
import { deleteSubject } from "../../items/delete-restore.ts";
import { type NamedItem, readKind } from "../../items/named-item.ts";
import { findSubject } from "../../items/require-subject.ts";
import { forgetSource } from "../../sources/forget-source.ts";
import { countTopicUses, requireTopic } from "../../topics/topic.queries.ts";
import { topics } from "../../topics/topic.table.ts";
import { createFormFunctions } from "../define-form.ts";

const output = z.object({ id: z.string(), deleted_at: z.string() });

interface NamedTopic {
  readonly kind: "topic";
  readonly id: string;
  readonly field: string;
}

const deleting = createFormFunctions<NamedItem | NamedTopic, z.output<typeof output>>({
  name: "delete",
  kind: "write",
  async run(context, item) {
    const { id, field } = item;
    if (item.kind === "topic") {
      return { id: await deleteUnusedTopic(context, id, field), deleted_at: context.now };
    }
    readKind(item);
    if (kindOfId(id) === "source") await forgetSource(context, id, field);
    else await deleteSubject(context, await findSubject(context.tx, id, field), id);
    return { id, deleted_at: context.now };
  },
});

export const deleteItem = deleting({
  name: "delete",
  summary:
    "Soft-delete an episode, a concept, or a source with its passages; `restore` brings it back",
  target: "id",
  input: z.strictObject({ id: idOf("item"), if_match: ifMatchField.optional() }),
  output,
  mcp: { interfaces: false, destructive: true },
  rest: false,
  confirm: ({ id }) => `Deleted ${id}; \`cairn restore ${id.replaceAll(",", "")}\` brings it back.`,
  cli: {
    aliases: ["rm"],
    shelf: "everyday",
    positionals: ["id"],
    each: "id",
    example: "cairn delete ep:1\ncairn rm 1 2 3",
  },
  changeset: { op: "delete", bare: "id", nameless: true },
  bind: ({ id }) => ({ id, field: "id" }),
});

export const deleteEpisode = deleting({
  name: "delete_episode",
  summary: "Soft-delete an episode; a fact is hidden with it",
  target: "episode_id",
  input: z.strictObject({ episode_id: idOf("episode"), if_match: ifMatchField.optional() }),
  output,
  mcp: { destructive: true },
  rest: { method: "DELETE", path: "/episodes/{episode_id}" },
  cli: { command: false },
  bind: ({ episode_id: id }) => ({ id, field: "episode_id", kind: "episode" }),
});

export const deleteConcept = deleting({
  name: "delete_concept",
  summary: "Soft-delete a concept",
  target: "concept_id",
  input: z.strictObject({ concept_id: idOf("concept"), if_match: ifMatchField.optional() }),
  output,
  mcp: { destructive: true },
  rest: { method: "DELETE", path: "/concepts/{concept_id}" },
  cli: { command: false },
  bind: ({ concept_id: id }) => ({ id, field: "concept_id", kind: "concept" }),
});

export const deleteTopic = deleting({
  name: "delete_topic",
  summary: "Delete a topic that no episode or concept uses",
  input: z.strictObject({ topic_id: nameField, if_match: ifMatchField.optional() }),
  output: z.object({ id: z.string() }),
  mcp: { interfaces: ["b"], destructive: true },
  rest: { method: "DELETE", path: "/topics/{topic_id}" },
  confirm: (_input, { id }) => `Deleted the topic ${id}.`,
  cli: {
    command: "topic delete",
    positionals: ["topic_id"],
    example: "cairn topic delete deploys",
  },
  async writes(tx, input) {
    return [(await requireTopic(tx, input.topic_id, "topic_id")).id];
  },
  bind: ({ topic_id: id }) => ({ id, field: "topic_id", kind: "topic" }),
  answer: ({ id }) => ({ id }),
});

/** Deletes the topic and returns its id. Throws state_conflict if an item uses it. */
async function deleteUnusedTopic(
  context: WriteContext,
  idOrName: string,
  field: string,
): Promise<string> {
  const { tx } = context;
  const { id } = await requireTopic(tx, idOrName, field);
  const uses = await countTopicUses(tx, id);
  if (uses > 0) {
    throw stateConflict(
      `${field}: "${id}" is used by ${uses} episode(s) or concept(s), deleted ones included; give those another topic first`,
    );
  }
  await tx.delete(topics).where(eq(topics.id, id));
  await context.emit({ kind: "deleted", subjectType: "topic", subjectId: id });
  return id;
}
