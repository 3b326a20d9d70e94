import { z } from "zod";
import type { FieldKind } from "../../shared/fields.ts";
import { fieldKind, getMeta, unwrapField } from "../../shared/fields.ts";
import { isPlainObject } from "../../shared/json.ts";

export interface ChangesetExposure {
  readonly op: string;
  /** Additional keys: `{ t: "episode_type" }`. Each input field's own name is also a key. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly bare?: string;
  /** The op creates no referable item, so `as=` is rejected. */
  readonly nameless?: boolean;
}

export interface ChangesetForm {
  readonly op: string;
  /** Maps keys to input fields: `{ t: "episode_type" }`. Field names are valid keys too. */
  readonly keys: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly bare?: string;
  /** Accepts arbitrary `key=value` pairs (`update`). */
  readonly open?: boolean;
  readonly nameless?: boolean;
  readonly types?: Readonly<Record<string, FieldKind>>;
  /** Fields with ids. Dotted paths address lists of objects: `relations.target_id`. */
  readonly refs?: Readonly<Record<string, RequestedRef>>;
}

/** Selects what `$name` of a remembered fact refers to: the fact itself or its episode. */
export type RequestedRef = "fact" | "claim" | "other";

export function collectFields(form: ChangesetForm): ReadonlySet<string> {
  const additional = [form.text, form.bare].filter((field) => field !== undefined);
  return new Set([...Object.values(form.keys), ...additional]);
}

export function fieldOfKey(form: ChangesetForm, key: string): string | undefined {
  if (Object.hasOwn(form.keys, key)) return form.keys[key];
  return form.open || collectFields(form).has(key) ? key : undefined;
}

export function knownKeys(form: ChangesetForm): string[] {
  const naming = form.nameless ? [] : ["as"];
  return [...new Set([...naming, ...Object.keys(form.keys), ...collectFields(form)])];
}

export function createForm(
  { aliases, ...exposure }: ChangesetExposure,
  input: z.ZodObject,
): ChangesetForm {
  const fields = Object.entries(input.shape)
    .map(([name, schema]) => ({ name, schema: getMeta(schema).like ?? schema }))
    .filter(({ schema }) => !getMeta(schema).ofCall);
  const names = fields.map(({ name }) => [name, name]);
  return {
    ...exposure,
    keys: { ...aliases, ...Object.fromEntries(names) },
    types: Object.fromEntries(fields.map(({ name, schema }) => [name, fieldKind(schema)])),
    refs: Object.fromEntries(fields.flatMap(({ name, schema }) => collectRefs(name, schema))),
  };
}

/** Lists the paths of ids in a field: `from`, `relations.target_id`. */
function collectRefs(path: string, schema: unknown): [string, RequestedRef][] {
  const { names } = getMeta(schema);
  if (names === "entity") return [];
  if (names !== undefined) return [[path, names === "fact" || names === "claim" ? names : "other"]];
  const list = unwrapField(schema);
  const element = list instanceof z.ZodArray ? unwrapField(list.element) : undefined;
  if (!(element instanceof z.ZodObject)) return [];
  return Object.entries(element.shape).flatMap(([name, field]) =>
    collectRefs(`${path}.${name}`, field),
  );
}

/** Replaces every id in these fields, including ids in lists, text and nested objects. */
export function mapIds(
  args: Readonly<Record<string, unknown>>,
  form: ChangesetForm,
  replace: (id: string, requested: RequestedRef, field: string) => string,
): Record<string, unknown> {
  let mapped: unknown = args;
  for (const [path, requested] of Object.entries(form.refs ?? {})) {
    mapped = mapAtPath(mapped, path.split("."), (id) => replace(id, requested, path));
  }
  return isPlainObject(mapped) ? mapped : {};
}

function mapAtPath(
  value: unknown,
  path: readonly string[],
  replace: (id: string) => string,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapAtPath(item, path, replace));
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === "string" ? mapText(value, replace) : value;
  if (!isPlainObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: mapAtPath(value[name], rest, replace) };
}

function mapText(text: string, replace: (id: string) => string): string {
  return text.split(",").map(replaceTrimmed).join(",");

  function replaceTrimmed(part: string): string {
    const id = part.trim();
    return id.startsWith("$") ? replace(id) : part;
  }
}
