import { z } from "zod";
import type { Tx } from "../../../database/index.ts";
import { invalidInput } from "../../../shared/errors.ts";
import { idOf, nameField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { labelText } from "../../input/parse-labels.ts";
import { requireSubject } from "../../items/require-subject.ts";
import {
  addLabels,
  type LabelSubject,
  loadLabels,
  removeLabel,
} from "../../labels/label.queries.ts";
import { labelRecord } from "../../labels/label.schema.ts";
import { getMask, isMasked, isMaskOf } from "../../secrets/find-secrets.ts";
import { kindOfNamed } from "../../secrets/judge-value.ts";
import { createFormFunctions } from "../define-form.ts";

type LabelChange =
  | { readonly as: "added"; readonly id: string; readonly key: string; readonly value: string }
  | {
      readonly as: "removed";
      readonly id: string;
      readonly key: string;
      readonly value: string | undefined;
    };

const output = z.object({ id: z.string(), labels: z.array(labelRecord) });

const labelling = createFormFunctions<LabelChange, z.output<typeof output>>({
  name: "label",
  kind: "write",
  async run(context, labelled) {
    const { tx } = context;
    const { as, id, key, value } = labelled;
    if (as === "added" && key.includes("=")) throw invalidInput('key: must not contain "="');
    const subject = await requireSubject(tx, id, "id");
    if (as === "added") {
      await addLabels(tx, subject, [{ key, value: labelled.value }]);
    } else {
      for (const found of await findMaskedLabels(tx, subject, { key, value })) {
        await removeLabel(tx, subject, found);
      }
    }
    await context.emit({
      kind: as === "added" ? "labeled" : "unlabeled",
      subjectType: subject.type,
      subjectId: id,
      payload: { key, value: value ?? null },
      about: value === undefined ? [] : [labelText({ key, value })],
    });
    return { id, labels: await loadLabels(tx, subject) };
  },
});

export const label = labelling({
  name: "label",
  summary: "Add a key=value label to an episode or a concept",
  target: "id",
  input: z.strictObject({
    id: idOf("item"),
    key: nameField,
    value: nameField,
    if_match: ifMatchField.optional(),
  }),
  output,
  mcp: { interfaces: false, idempotent: true },
  rest: false,
  confirm: ({ id, key, value }) => `Labelled ${id} ${key}=${value}.`,
  cli: {
    shelf: "everyday",
    positionals: ["id", "key", "value"],
    each: "id",
    pair: ["key", "value"],
    example: "cairn label ep:1 status=done\ncairn label 1 2 3 area=billing",
  },
  changeset: { op: "label", nameless: true },
  bind: ({ id, key, value }) => ({ as: "added", id, key, value }),
});

export const unlabel = labelling({
  name: "unlabel",
  summary: "Remove a label, or all labels of a key if no value is given",
  target: "id",
  onlyTakesAway: true,
  input: z.strictObject({
    id: idOf("item"),
    key: nameField,
    value: nameField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output,
  mcp: { interfaces: false, destructive: true },
  rest: false,
  confirm: ({ id, key, value }) =>
    value === undefined
      ? `Removed all ${key} labels from ${id}.`
      : `Took ${key}=${value} off ${id}.`,
  cli: {
    positionals: ["id", "key", "value"],
    each: "id",
    pair: ["key", "value"],
    example: "cairn unlabel ep:1 status\ncairn unlabel 1 2 status=done",
  },
  changeset: { op: "unlabel", nameless: true },
  bind: ({ id, key, value }) => ({ as: "removed", id, key, value }),
});

interface NamedLabel {
  readonly key: string;
  readonly value: string | undefined;
}

async function findMaskedLabels(
  tx: Tx,
  subject: LabelSubject,
  named: NamedLabel,
): Promise<readonly NamedLabel[]> {
  const { key, value } = named;
  if (!isMasked(key) && !isMasked(value ?? "")) return [named];
  const carried = await loadLabels(tx, subject);
  if (carried.some((one) => one.key === key && (value ?? one.value) === one.value)) return [named];
  const intended: NamedLabel[] = [];
  for (const one of carried) {
    if (!(await isMaskOf(key, one.key))) continue;
    if (value === undefined || (await isMaskOfLabel(value, one))) intended.push(one);
  }
  return intended.length === 0 ? [named] : intended;
}

async function isMaskOfLabel(masked: string, { key, value = "" }: NamedLabel): Promise<boolean> {
  const kind = kindOfNamed(key, value);
  return (await isMaskOf(masked, value)) || (kind !== undefined && masked === getMask(kind));
}
