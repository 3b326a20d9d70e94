import { z } from "zod";
import { innerField, unwrapField } from "./field-kind.ts";

/** What an id names; `item` is an episode or a concept, `claim` a fact or an episode. */
export type IdKind =
  | "episode"
  | "concept"
  | "item"
  | "fact"
  | "claim"
  | "conflict"
  | "topic"
  | "entity"
  | "source"
  | "passage"
  | "proposal";

/**
 * Whether a project that nobody trusts yet may set a value: not at all, always, or if this says so
 * of the value and of what the user has set (undefined: nothing). `person` is `anyone` at the
 * command line, where a person sees what happens, and `trusted` where a model acts.
 */
export type TrustRule =
  | "trusted"
  | "anyone"
  | "person"
  | ((value: unknown, user: unknown) => boolean);

/** A rule for each setting; the compiler asks for one of every new setting. */
export type TrustRules<Schema extends z.ZodObject> = {
  readonly [Name in keyof Schema["shape"]]: TrustRule | Readonly<Record<string, TrustRule>>;
};

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
  /** Which projects may set it, for a field of the config file. */
  readonly trust?: TrustRule;
  /** It belongs to one call, not to what is stored: changesets have no key for it. */
  readonly ofCall?: boolean;
  /** Programs give it; it is taken from a model too, but not shown to one. */
  readonly ofPrograms?: boolean;
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

/** Says on each setting which projects may set it. */
export function withTrust<Schema extends z.ZodObject>(
  schema: Schema,
  rules: TrustRules<Schema>,
): Schema {
  applyTrust(schema, rules);
  return schema;
}

function applyTrust(
  schema: z.ZodObject,
  rules: Readonly<Record<string, TrustRule | Readonly<Record<string, TrustRule>>>>,
): void {
  for (const [name, rule] of Object.entries(rules)) {
    const field = schema.shape[name];
    const inner = unwrapField(field);
    if (typeof rule === "object" && inner instanceof z.ZodObject) applyTrust(inner, rule);
    else if (typeof rule !== "object" && field instanceof z.ZodType) {
      registry.add(field, { ...metaOf(field), trust: rule });
    } else throw new Error(`The rule of the setting ${name} does not have its shape.`);
  }
}

/** The metadata of a field, looking through defaults and the like. */
export function metaOf(schema: unknown): FieldMeta {
  if (!(schema instanceof z.ZodType)) return {};
  const own = registry.get(schema) ?? {};
  return { ...metaOf(innerField(schema)), ...own };
}
