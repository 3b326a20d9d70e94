import { z } from "zod";
import { innerField } from "./field-kind.ts";

/** What an id names; `item` is an episode or a concept. */
export type IdKind = "episode" | "concept" | "item" | "fact" | "conflict" | "topic" | "entity";

/** What a schema cannot say of a field, and surfaces ask for. */
export interface FieldMeta {
  /** It holds ids of this kind; called `names` because zod does not pass an `id` on to copies. */
  readonly names?: IdKind;
  /** Text of any length, which a command may read from standard input. */
  readonly longText?: boolean;
  /** Letter of its short option, `-n`. */
  readonly short?: string;
  /** Never shown or logged. */
  readonly secret?: boolean;
  /** It belongs to one call, not to what is stored: changesets have no key for it. */
  readonly ofCall?: boolean;
  /** Under this name it is a repeatable parameter `name=key:value` of a query string. */
  readonly queryLabel?: string;
  /** The schema of the field as which it is read and written. */
  readonly like?: unknown;
}

/** Metadata of fields. A description, a default or a check that is added later keeps it. */
const registry = z.registry<FieldMeta>();

/** A copy of the schema that carries the metadata. */
export function withMeta<Schema extends z.ZodType>(schema: Schema, meta: FieldMeta): Schema {
  const copy = schema.clone(undefined, { parent: true });
  registry.add(copy, { ...metaOf(schema), ...meta });
  return copy;
}

/** The metadata of a field, looking through defaults and the like. */
export function metaOf(schema: unknown): FieldMeta {
  if (!(schema instanceof z.ZodType)) return {};
  const own = registry.get(schema) ?? {};
  return { ...metaOf(innerField(schema)), ...own };
}
