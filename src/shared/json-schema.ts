import { z } from "zod";

export type JsonSchema = { [key: string]: unknown };

export function inputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

/**
 * The JSON Schema of what a caller gets. Objects stay open, since fields may be added to answers at any time.
 * Schemas that have an id in `shared` become entries of `$defs`.
 */
export function outputSchema(
  schema: z.ZodType,
  shared?: z.core.$ZodRegistry<{ id: string }>,
): JsonSchema {
  return withoutDialect(
    z.toJSONSchema(schema, {
      io: "output",
      unrepresentable: "any",
      ...(shared !== undefined && { metadata: shared as z.core.$ZodRegistry<z.core.GlobalMeta> }),
      override: ({ zodSchema, jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        const description = z.globalRegistry.get(zodSchema)?.description;
        if (description !== undefined) jsonSchema.description ??= description;
      },
    }),
  );
}

/** Limits above these are never reached by accident, so a model need not know them. */
const GENEROUS = { maximum: 500, maxLength: 500, maxItems: 500 };

const FORMS = new Set(["pattern", "format", "minItems"]);

/**
 * The schema without what a model need not know, to save tokens: names of keys that are any text, whether
 * further keys are allowed (an unknown key gives an error that names the nearest), and limits that are
 * generous or self-evident. A value that may be text or have other forms is shown as text.
 */
export function leanSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (key === "propertyNames" && isTextOfAnyKind(value)) return [];
      if (key === "additionalProperties" && (value === false || isOpen(value))) return [];
      if (key === "minimum" && Number(value) <= 1 && schema.maximum !== 1) return [];
      if (key === "minLength" && value === 1) return [];
      if (FORMS.has(key) && typeof value !== "object") return [];
      if (Object.hasOwn(GENEROUS, key) && Number(value) >= GENEROUS[key as keyof typeof GENEROUS]) {
        return [];
      }
      if (key === "anyOf" && Array.isArray(value) && value.some(isText))
        return [["type", "string"]];
      return [[key, lean(value)]];
    }),
  );
}

function lean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lean);
  return isObject(value) ? leanSchema(value) : value;
}

function isText(value: unknown): boolean {
  return isObject(value) && value.type === "string";
}

function isTextOfAnyKind(value: unknown): boolean {
  return isObject(value) && value.type === "string" && Object.keys(value).length === 1;
}

function isOpen(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Some validators refuse a `$schema` address that they do not know. */
function withoutDialect(schema: object): JsonSchema {
  const { $schema: _dialect, "~standard": _standard, ...rest } = schema as JsonSchema;
  return rest;
}

/** Names of record schemas that many answers contain. */
const names = z.registry<{ id: string }>();

/** Gives the schema a name, so that a document of many schemas describes it only once. */
export function sharedSchema<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.add(schema, { id: name });
  return schema;
}

export interface SharedOutput {
  readonly schema: JsonSchema;
  /** The named schemas that this one refers to. */
  readonly shared: Readonly<Record<string, JsonSchema>>;
}

/** The JSON Schema of an answer; records that have a name become references `prefix + name`. */
export function outputWithShared(schema: z.ZodType, prefix: string): SharedOutput {
  const { $defs: shared = {}, ...own } = referring(outputSchema(schema, names), prefix);
  return { schema: own, shared: shared as Record<string, JsonSchema> };
}

function referring(schema: JsonSchema, prefix: string): JsonSchema {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === "$ref" && typeof value === "string") {
      return [key, value.replace(/^#\/\$defs\//, prefix)];
    }
    return [key, referringValue(value, prefix)];
  });
  return Object.fromEntries(entries);
}

function referringValue(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => referringValue(item, prefix));
  return typeof value === "object" && value !== null
    ? referring(value as JsonSchema, prefix)
    : value;
}
