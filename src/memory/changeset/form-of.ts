import { z } from "zod";
import { fieldKind, metaOf, unwrapField } from "../../shared/fields.ts";
import type { ChangesetExposure, ChangesetForm, WantedRef } from "./changeset-form.ts";

/** Keys, kinds and ids of an op, from the schema of its operation. */
export function formOf(
  { aliases, ...exposure }: ChangesetExposure,
  input: z.ZodObject,
): ChangesetForm {
  const fields = Object.entries(input.shape)
    .map(([name, schema]) => ({ name, schema: metaOf(schema).like ?? schema }))
    .filter(({ schema }) => !metaOf(schema).ofCall);
  const names = fields.map(({ name }) => [name, name]);
  return {
    ...exposure,
    keys: { ...aliases, ...Object.fromEntries(names) },
    types: Object.fromEntries(fields.map(({ name, schema }) => [name, fieldKind(schema)])),
    refs: Object.fromEntries(fields.flatMap(({ name, schema }) => refsIn(name, schema))),
  };
}

/** Paths of the ids that a field holds: `from`, `relations.target_id`. */
function refsIn(path: string, schema: unknown): [string, WantedRef][] {
  const { names } = metaOf(schema);
  if (names === "entity") return [];
  if (names !== undefined) return [[path, names === "fact" || names === "claim" ? names : "other"]];
  const list = unwrapField(schema);
  const element = list instanceof z.ZodArray ? unwrapField(list.element) : undefined;
  if (!(element instanceof z.ZodObject)) return [];
  return Object.entries(element.shape).flatMap(([name, field]) => refsIn(`${path}.${name}`, field));
}
