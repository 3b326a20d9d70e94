import { z } from "zod";
import { idOf } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { kindOfId, parseConceptId, parseNumberedId } from "../../input/item-ids.ts";
import { deleteSubject } from "../../items/delete-restore.ts";
import { findSubject } from "../../items/require-subject.ts";
import { forgetSource } from "../../sources/forget-source.ts";
import { defineOperation } from "../define-operation.ts";
import type { OperationContext } from "../operation-context.ts";

const output = z.object({ id: z.string(), deleted_at: z.string() });

export const deleteItem = defineOperation({
  name: "delete",
  summary:
    "Soft-delete an episode, a concept, or a source with its passages; `restore` brings it back",
  target: "id",
  kind: "write",
  input: z.strictObject({ id: idOf("item"), if_match: ifMatchField.optional() }),
  output,
  mcp: { interfaces: false, destructive: true },
  rest: { method: "POST", path: "/delete" },
  confirm: ({ id }) => `Deleted ${id}; \`cairn restore ${id.replaceAll(",", "")}\` brings it back.`,
  cli: {
    aliases: ["rm"],
    shelf: "everyday",
    positionals: ["id"],
    each: "id",
    example: "cairn delete ep:1\ncairn rm 1 2 3",
  },
  changeset: { op: "delete", bare: "id", nameless: true },
  run: (context, { id }) => run(context, id, "id"),
});

export const deleteEpisode = defineOperation({
  name: "delete_episode",
  summary: "Soft-delete an episode; a fact is hidden with it",
  target: "episode_id",
  kind: "write",
  input: z.strictObject({ episode_id: idOf("episode"), if_match: ifMatchField.optional() }),
  output,
  mcp: { destructive: true },
  rest: { method: "DELETE", path: "/episodes/{episode_id}" },
  cli: { command: false },
  run(context, { episode_id: id }) {
    parseNumberedId(id, "episode", "episode_id");
    return run(context, id, "episode_id");
  },
});

export const deleteConcept = defineOperation({
  name: "delete_concept",
  summary: "Soft-delete a concept",
  target: "concept_id",
  kind: "write",
  input: z.strictObject({ concept_id: idOf("concept"), if_match: ifMatchField.optional() }),
  output,
  mcp: { destructive: true },
  rest: { method: "DELETE", path: "/concepts/{concept_id}" },
  cli: { command: false },
  run(context, { concept_id: id }) {
    parseConceptId(id, "concept_id");
    return run(context, id, "concept_id");
  },
});

async function run(context: OperationContext, id: string, field: string) {
  if (kindOfId(id) === "source") {
    await forgetSource(context, id, field);
    return { id, deleted_at: context.now };
  }
  await deleteSubject(context, await findSubject(context.tx, id, field), id);
  return { id, deleted_at: context.now };
}
