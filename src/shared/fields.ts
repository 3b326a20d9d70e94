import { z } from "zod";

/**
 * Type of a field in text form: command line, query string, compact changeset, environment
 * variable. `textList` fields parse the text themselves.
 */
export type FieldKind = "text" | "integer" | "number" | "boolean" | "list" | "textList" | "json";

/** Looks through defaults, unions and pipes. */
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

/** Returns the schema inside defaults, optionals and pipes. */
export function unwrapField(schema: unknown): unknown {
  const inner = innerField(schema);
  return inner === undefined ? schema : unwrapField(inner);
}

/** Returns the schema inside one default, optional or pipe; undefined for others. */
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

/** `item` is an episode or concept, `claim` a fact or episode. */
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
 * Rule for values set by an untrusted project: rejected, accepted, or decided from the value and
 * the user's own setting (undefined if unset). `person` also allows it on the command line, where the
 * user sees the effect; `trusted` does not.
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
  /** Kind of ids in the field. Not called `id`, a key that zod does not copy. */
  readonly names?: IdKind;
  readonly longText?: boolean;
  /** Short option, such as `n` for `-n`. */
  readonly short?: string;
  readonly secret?: boolean;
  /** Which projects may set this config field. */
  readonly trust?: TrustRule;
  /** Not stored, so changesets have no key for it. */
  readonly ofCall?: boolean;
  /** For programs: accepted from models but not shown to them. */
  readonly ofPrograms?: boolean;
  /** Repeatable query parameter with this name: `name=key:value`. */
  readonly queryLabel?: string;
  readonly like?: unknown;
}

/** Survives later calls that add a description, default or check. */
const registry = z.registry<FieldMeta>();

export function withMeta<Schema extends z.ZodType>(schema: Schema, meta: FieldMeta): Schema {
  const copy = schema.clone(undefined, { parent: true });
  registry.add(copy, { ...getMeta(schema), ...meta });
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
      registry.add(field, { ...getMeta(field), trust: rule });
    } else throw new Error(`The schema of the setting ${name} does not match its form.`);
  }
}

/** Looks through defaults, optionals and pipes. */
export function getMeta(schema: unknown): FieldMeta {
  if (!(schema instanceof z.ZodType)) return {};
  const own = registry.get(schema) ?? {};
  return { ...getMeta(innerField(schema)), ...own };
}
