import { z } from "zod";

/**
 * Form of a field where everything is text: on a command line, in a query string, in a compact
 * changeset, in a variable. A field of kind `textList` parses its list from the text itself.
 */
export type FieldKind = "text" | "integer" | "number" | "boolean" | "list" | "textList" | "json";

/** The kind of a field, looking through defaults, unions and pipes. */
export function fieldKind(schema: unknown): FieldKind {
  const inner = unwrapField(schema);
  if (inner instanceof z.ZodNumber) {
    return inner.def.checks?.some(isIntegerCheck) ? "integer" : "number";
  }
  if (inner instanceof z.ZodBoolean) return "boolean";
  if (inner instanceof z.ZodArray) {
    return unwrapField(inner.element) instanceof z.ZodString ? "list" : "json";
  }
  if (inner instanceof z.ZodRecord) return "json";
  if (inner instanceof z.ZodUnion) {
    return inner.options.some((option) => unwrapField(option) instanceof z.ZodArray)
      ? "textList"
      : "text";
  }
  return "text";
}

export function fieldDefault(schema: unknown): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue;
  if (schema instanceof z.ZodOptional) return fieldDefault(schema.unwrap());
  return undefined;
}

export function isRequired(schema: z.core.$ZodType): boolean {
  return !z.safeParse(schema, undefined).success;
}

function isIntegerCheck(check: z.core.$ZodCheck): boolean {
  const { def } = check._zod;
  return "format" in def && (def.format === "safeint" || def.format === "int32");
}

/** The schema inside of defaults, optionals and pipes. */
export function unwrapField(schema: unknown): unknown {
  const inner = innerField(schema);
  return inner === undefined ? schema : unwrapField(inner);
}

/** The schema inside a default, an optional or a pipe; undefined for every other schema. */
export function innerField(schema: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  ) {
    return schema.unwrap();
  }
  if (!(schema instanceof z.ZodPipe)) return undefined;
  return schema.in instanceof z.ZodTransform ? schema.out : schema.in;
}

/** Kind of an id; `item` is an episode or a concept, `claim` a fact or an episode. */
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
 * True if a project that is not trusted yet may set a value: never, always, or as this function
 * decides from
 * the value and the user's own setting (undefined if there is none). `person` applies at the
 * command line,
 * where a person sees what happens; `trusted` where a model acts.
 */
export type TrustRule =
  | "trusted"
  | "anyone"
  | "person"
  | ((value: unknown, user: unknown) => boolean);

export type TrustRules<Schema extends z.ZodObject> = {
  readonly [Name in keyof Schema["shape"]]: TrustRule | Readonly<Record<string, TrustRule>>;
};

export interface FieldMeta {
  /** The field holds ids of this kind. It is called `names` because zod does not copy a key `id`. */
  readonly names?: IdKind;
  readonly longText?: boolean;
  /** Letter of the field's short option, such as `n` for `-n`. */
  readonly short?: string;
  readonly secret?: boolean;
  /** For a field of the config file: which projects may set it. */
  readonly trust?: TrustRule;
  /** The field belongs to one call and is not stored, so changesets have no key for it. */
  readonly ofCall?: boolean;
  /** The field is meant for programs. A model may send it, but is not told of it. */
  readonly ofPrograms?: boolean;
  /** In a query string the field is a repeatable parameter of this name, `name=key:value`. */
  readonly queryLabel?: string;
  readonly like?: unknown;
}

/** Metadata of fields. It survives a description, a default or a check that is added later. */
const registry = z.registry<FieldMeta>();

export function withMeta<Schema extends z.ZodType>(schema: Schema, meta: FieldMeta): Schema {
  const copy = schema.clone(undefined, { parent: true });
  registry.add(copy, { ...metaOf(schema), ...meta });
  return copy;
}

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
    } else throw new Error(`The schema of the setting ${name} does not match its form.`);
  }
}

/** The metadata of a field, looking through defaults and the like. */
export function metaOf(schema: unknown): FieldMeta {
  if (!(schema instanceof z.ZodType)) return {};
  const own = registry.get(schema) ?? {};
  return { ...metaOf(innerField(schema)), ...own };
}
