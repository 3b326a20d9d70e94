import { z } from "zod";
import { idOf, nameField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { labelText } from "../../input/parse-labels.ts";
import { requireSubject } from "../../items/require-subject.ts";
import { labelsOf, removeLabel } from "../../labels/label.queries.ts";
import { labelRecord } from "../../labels/label.schema.ts";
import { HOLD, requireMayLift } from "../../labels/legal-hold.ts";
import { findMaskedLabels } from "../../secrets/find-masked-labels.ts";
import { defineOperation } from "../define-operation.ts";

export const unlabel = defineOperation({
  name: "unlabel",
  summary: "Remove a label, or without a value every label of the key",
  target: "id",
  kind: "write",
  onlyTakesAway: true,
  input: z.strictObject({
    id: idOf("item"),
    key: nameField,
    value: nameField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ id: z.string(), labels: z.array(labelRecord) }),
  mcp: { interfaces: false, destructive: true },
  rest: { method: "DELETE", path: "/labels" },
  confirm: ({ id, key, value }) =>
    value === undefined ? `Took every ${key} off ${id}.` : `Took ${key}=${value} off ${id}.`,
  cli: {
    positionals: ["id", "key", "value"],
    each: "id",
    pair: ["key", "value"],
    example: "cairn unlabel ep:1 status\ncairn unlabel 1 2 status=done",
  },
  changeset: { op: "unlabel", nameless: true },
  async run(context, { id, key, value }) {
    const { tx } = context;
    if (key === HOLD) requireMayLift(context.options.caller);
    const subject = await requireSubject(tx, id, "id");
    for (const label of await findMaskedLabels(tx, subject, { key, value })) {
      await removeLabel(tx, subject, label);
    }
    await context.emit({
      kind: "unlabeled",
      subjectType: subject.type,
      subjectId: id,
      payload: { key, value: value ?? null },
      about: value === undefined ? [] : [labelText({ key, value })],
    });
    return { id, labels: await labelsOf(tx, subject) };
  },
});
