import { isPlainObject } from "../../shared/json.ts";
import type { ChangesetForm, WantedRef } from "./changeset-form.ts";

/**
 * The arguments with every id replaced by what `replace` makes of it, in the fields that the form
 * names and nowhere else. Ids in lists, in comma-separated text and below dotted paths count.
 */
export function mapIds(
  args: Readonly<Record<string, unknown>>,
  form: ChangesetForm,
  replace: (id: string, wanted: WantedRef, field: string) => string,
): Record<string, unknown> {
  let mapped: unknown = args;
  for (const [path, wanted] of Object.entries(form.refs ?? {})) {
    mapped = mapAt(mapped, path.split("."), (id) => replace(id, wanted, path));
  }
  return isPlainObject(mapped) ? mapped : {};
}

function mapAt(value: unknown, path: readonly string[], replace: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapAt(item, path, replace));
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === "string" ? mapText(value, replace) : value;
  if (!isPlainObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: mapAt(value[name], rest, replace) };
}

/** One id, or several with commas between them. */
function mapText(text: string, replace: (id: string) => string): string {
  return text.split(",").map(replaceTrimmed).join(",");

  function replaceTrimmed(part: string): string {
    const id = part.trim();
    return id.startsWith("$") ? replace(id) : part;
  }
}
