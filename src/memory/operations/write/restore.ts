import { z } from "zod";
import { idOf } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { kindOfId, parseConceptId, parseNumberedId } from "../../input/item-ids.ts";
import { restoreSubject } from "../../items/delete-restore.ts";
import { findSubject } from "../../items/require-subject.ts";
import { bringBackSource } from "../../sources/forget-source.ts";
import { defineOperation } from "../define-operation.ts";
import type { OperationContext } from "../operation-context.ts";

const output = z.object({ id: z.string(), restored_at: z.string() });

export const restoreItem = defineOperation({
  name: "restore",
  summary: "Bring back a soft-deleted episode, concept or source",
  target: "id",
  kind: "write",
  input: z.strictObject({ id: idOf("item"), if_match: ifMatchField.optional() }),
  output,
  mcp: { interfaces: false },
  rest: { method: "POST", path: "/restore" },
  confirm: ({ id }) => `Restored ${id}.`,
  cli: { positionals: ["id"], each: "id", example: "cairn restore ep:1 ep:2" },
  changeset: { op: "restore", bare: "id", nameless: true },
  run: (context, { id }) => run(context, id, "id"),
});

export const restoreEpisode = defineOperation({
  name: "restore_episode",
  summary: "Bring back a soft-deleted episode, with its fact",
  target: "episode_id",
  kind: "write",
  input: z.strictObject({ episode_id: idOf("episode"), if_match: ifMatchField.optional() }),
  output,
  rest: { method: "POST", path: "/episodes/{episode_id}/restore" },
  cli: { command: false },
  run(context, { episode_id: id }) {
    parseNumberedId(id, "episode", "episode_id");
    return run(context, id, "episode_id");
  },
});

export const restoreConcept = defineOperation({
  name: "restore_concept",
  summary: "Bring back a soft-deleted concept",
  target: "concept_id",
  kind: "write",
  input: z.strictObject({ concept_id: idOf("concept"), if_match: ifMatchField.optional() }),
  output,
  rest: { method: "POST", path: "/concepts/{concept_id}/restore" },
  cli: { command: false },
  run(context, { concept_id: id }) {
    parseConceptId(id, "concept_id");
    return run(context, id, "concept_id");
  },
});

async function run(context: OperationContext, id: string, field: string) {
  if (kindOfId(id) === "source") {
    await bringBackSource(context, id, field);
    return { id, restored_at: context.now };
  }
  await restoreSubject(context, await findSubject(context.tx, id, field), id);
  return { id, restored_at: context.now };
}
