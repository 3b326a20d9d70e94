import type { Texts } from "../data/drafts.ts";
import { kindOfId } from "../screens/item/item-kind.ts";
import type { FormField, OperationForm } from "./operation-form.ts";

export function filledFor(form: OperationForm, ids: readonly string[]): Texts {
  const left = [...ids];
  const values: Record<string, string> = {};
  for (const { name, preset, kind, names } of form.fields) {
    if (preset !== undefined) values[name] = preset;
    const fitting = left.filter((id) => isNamed(names, id));
    const used = kind === "list" || kind === "textList" ? fitting : fitting.slice(0, 1);
    if (used.length > 0) values[name] = used.join(", ");
    for (const id of used) left.splice(left.indexOf(id), 1);
  }
  return values;
}

/** True if the form has a field for each of these items. */
export function isAbout(form: OperationForm, ids: readonly string[]): boolean {
  const values = filledFor(form, ids);
  const placed = form.fields
    .filter(({ names }) => names !== undefined)
    .flatMap(({ name }) => (values[name] ?? "").split(", "));
  return ids.length > 0 && ids.every((id) => placed.includes(id));
}

function isNamed(names: string | undefined, id: string): boolean {
  const kind = id.startsWith("conflict:") ? "conflict" : kindOfId(id);
  return names === kind || (names === "item" && (kind === "episode" || kind === "concept"));
}

/** Returns the operation's input without empty fields. */
export function getInput(form: OperationForm, texts: Texts): Record<string, unknown> {
  return Object.fromEntries(
    form.fields.flatMap((field) => {
      const text = (texts[field.name] ?? "").trim();
      return text === "" ? [] : [[field.name, valueOfField(field, text)]];
    }),
  );
}

export function missingFields(form: OperationForm, texts: Texts): readonly FormField[] {
  return form.fields.filter(({ name, isRequired }) => isRequired && !(texts[name] ?? "").trim());
}

function valueOfField({ kind }: FormField, text: string): unknown {
  switch (kind) {
    case "integer":
    case "number":
      return Number(text);
    case "boolean":
      return text === "true";
    default:
      return text;
  }
}
