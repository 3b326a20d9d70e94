import { z } from "zod";
import type { Operation } from "../../src/memory/index.ts";
import {
  fieldDefault,
  fieldKind,
  isRequired,
  metaOf,
  unwrapField,
} from "../../src/shared/fields.ts";

/** Writes of programs, and those for which the page has buttons, dialogs or screens. */
const WITHOUT_FORM = new Set([
  ...["apply", "undo", "redo", "change_matching", "keep_learned", "read_source"],
  ...["delete", "delete_episode", "delete_concept", "restore", "restore_episode"],
  ...["restore_concept", "label", "set_topic", "processed", "accept_proposal", "reject_proposal"],
  ...["create_topic", "update_topic", "delete_topic"],
]);

/** TypeScript of the forms in which the page writes: one for each operation that writes. */
export function webFormsSource(operations: ReadonlyMap<string, Operation>): string {
  return sourceOf("FORMS", formsOf(operations));
}

/** The forms with the fields that name items alone: what menus need before a form is opened. */
export function webFormNamesSource(operations: ReadonlyMap<string, Operation>): string {
  const names = formsOf(operations).map(({ fields, op: _, ...form }) => ({
    ...form,
    fields: fields
      .filter(({ names }) => names !== undefined)
      .map(({ name, kind, names }) => ({ name, kind, names })),
  }));
  return sourceOf("FORM_NAMES", names);
}

function formsOf(operations: ReadonlyMap<string, Operation>) {
  return [...operations.values()]
    .filter(({ name, kind, rest }) => kind === "write" && rest && !WITHOUT_FORM.has(name))
    .map(formOf);
}

function sourceOf(name: string, forms: readonly object[]): string {
  const lines = forms.map((form) => `  ${JSON.stringify(form)},\n`);
  return `${HEAD}export const ${name}: readonly OperationForm[] = [\n${lines.join("")}];\n`;
}

function formOf({ name, summary, erases, changeset, input }: Operation) {
  return {
    name,
    summary,
    ...(changeset && { op: changeset.op }),
    ...(erases && { erases }),
    fields: Object.entries(input.shape).flatMap(([field, schema]) => {
      const meta = metaOf(schema);
      if (meta.ofCall || meta.ofPrograms) return [];
      const inner = unwrapField(schema);
      const choices = inner instanceof z.ZodEnum ? inner.options : undefined;
      const preset = fieldDefault(schema);
      const about = schema instanceof z.ZodType ? schema.description : undefined;
      return [
        {
          name: field,
          kind: fieldKind(schema),
          ...(isRequired(schema) && { isRequired: true }),
          ...(meta.longText && { isLong: true }),
          ...(meta.names && { names: meta.names }),
          ...(choices && { choices }),
          ...(preset !== undefined && { preset: String(preset) }),
          ...(about && { about }),
        },
      ];
    }),
  };
}

const HEAD = `// biome-ignore-all format: written by a program, one form a line
// Made by \`npm run docs\` from the operations; a test compares the two.
import type { OperationForm } from "../workbench/operation-form.ts";

`;
