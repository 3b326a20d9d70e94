import { z } from "zod";
import { idOf } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { kindOfId } from "../../input/item-ids.ts";
import { restoreSubject } from "../../items/delete-restore.ts";
import { type NamedItem, readKind } from "../../items/named-item.ts";
import { findSubject } from "../../items/require-subject.ts";
import { restoreSource } from "../../sources/forget-source.ts";
import { createFormFunctions } from "../define-form.ts";

const output = z.object({ id: z.string(), restored_at: z.string() });

const restoring = createFormFunctions<NamedItem, z.output<typeof output>>({
  name: "restore",
  kind: "write",
  async run(context, item) {
    const { id, field } = item;
    readKind(item);
    if (kindOfId(id) === "source") await restoreSource(context, id, field);
    else await restoreSubject(context, await findSubject(context.tx, id, field), id);
    return { id, restored_at: context.now };
  },
});

export const restoreItem = restoring({
  name: "restore",
  summary: "Bring back a soft-deleted episode, concept or source",
  target: "id",
  input: z.strictObject({ id: idOf("item"), if_match: ifMatchField.optional() }),
  output,
  mcp: { interfaces: false },
  rest: { method: "POST", path: "/restore" },
  confirm: ({ id }) => `Restored ${id}.`,
  cli: { positionals: ["id"], each: "id", example: "cairn restore ep:1 ep:2" },
  changeset: { op: "restore", bare: "id", nameless: true },
  bind: ({ id }) => ({ id, field: "id" }),
});

export const restoreEpisode = restoring({
  name: "restore_episode",
  summary: "Bring back a soft-deleted episode, with its fact",
  target: "episode_id",
  input: z.strictObject({ episode_id: idOf("episode"), if_match: ifMatchField.optional() }),
  output,
  rest: false,
  cli: { command: false },
  bind: ({ episode_id: id }) => ({ id, field: "episode_id", kind: "episode" }),
});

export const restoreConcept = restoring({
  name: "restore_concept",
  summary: "Bring back a soft-deleted concept",
  target: "concept_id",
  input: z.strictObject({ concept_id: idOf("concept"), if_match: ifMatchField.optional() }),
  output,
  rest: false,
  cli: { command: false },
  bind: ({ concept_id: id }) => ({ id, field: "concept_id", kind: "concept" }),
});
