import { z } from "zod";
import { invalidInput } from "../../../kernel/errors.ts";
import { idOf, nameField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { labelText } from "../../input/parse-labels.ts";
import { requireSubject } from "../../items/require-subject.ts";
import { addLabels, labelsOf } from "../../labels/label.queries.ts";
import { labelRecord } from "../../labels/label.schema.ts";
import { defineOperation } from "../define-operation.ts";

export const label = defineOperation({
  name: "label",
  summary: "Add a key=value label to an episode or a concept",
  target: "id",
  kind: "write",
  input: z.strictObject({
    id: idOf("item"),
    key: nameField,
    value: nameField,
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ id: z.string(), labels: z.array(labelRecord) }),
  mcp: { interfaces: false, idempotent: true },
  rest: { method: "POST", path: "/labels" },
  confirm: ({ id, key, value }) => `Labelled ${id} ${key}=${value}.`,
  cli: {
    shelf: "everyday",
    positionals: ["id", "key", "value"],
    each: "id",
    pair: ["key", "value"],
    example: "cairn label ep:1 status=done\ncairn label 1 2 3 area=billing",
  },
  changeset: { op: "label", nameless: true },
  async run(context, { id, key, value }) {
    const { tx } = context;
    if (key.includes("=")) throw invalidInput('key: must not hold "="');
    const subject = await requireSubject(tx, id, "id");
    await addLabels(tx, subject, [{ key, value }]);
    await context.emit({
      kind: "labeled",
      subjectType: subject.type,
      subjectId: id,
      payload: { key, value },
      about: [labelText({ key, value })],
    });
    return { id, labels: await labelsOf(tx, subject) };
  },
});
