import { z } from "zod";

export type JsonSchema = { [key: string]: unknown };

export function inputSchema(schema: z.ZodType): JsonSchema {
  return removeDialect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

/**
 * JSON Schema of results. Objects allow additional properties, since fields may be added later.
 * Schemas with an id in `shared` become `$defs`.
 */
export function outputSchema(
  schema: z.ZodType,
  shared?: z.core.$ZodRegistry<{ id: string }>,
): JsonSchema {
  return removeDialect(
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

/** Models never reach higher limits by accident. */
const IGNORED_LIMITS = { maximum: 500, maxLength: 500, maxItems: 500 };

const FORMAT_KEYWORDS = new Set(["pattern", "format", "minItems"]);

/**
 * Reduces a schema for models, to save tokens: removes unrestricted key names,
 * `additionalProperties` (unknown keys give an error with the nearest name), and generous or
 * obvious limits. Text with alternative forms is shown as text.
 */
export function leanSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (key === "propertyNames" && isTextOfAnyKind(value)) return [];
      if (key === "additionalProperties" && (value === false || isOpenObject(value))) return [];
      if (key === "minimum" && Number(value) <= 1 && schema.maximum !== 1) return [];
      if (key === "minLength" && value === 1) return [];
      if (FORMAT_KEYWORDS.has(key) && typeof value !== "object") return [];
      if (
        Object.hasOwn(IGNORED_LIMITS, key) &&
        Number(value) >= IGNORED_LIMITS[key as keyof typeof IGNORED_LIMITS]
      ) {
        return [];
      }
      if (key === "anyOf" && Array.isArray(value) && value.some(isText))
        return [["type", "string"]];
      return [[key, simplifySchema(value)]];
    }),
  );
}

function simplifySchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplifySchema);
  return isObject(value) ? leanSchema(value) : value;
}

function isText(value: unknown): boolean {
  return isObject(value) && value.type === "string";
}

function isTextOfAnyKind(value: unknown): boolean {
  return isObject(value) && value.type === "string" && Object.keys(value).length === 1;
}

function isOpenObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Some validators reject unknown `$schema` URLs. */
function removeDialect(schema: object): JsonSchema {
  const { $schema: _dialect, "~standard": _standard, ...rest } = schema as JsonSchema;
  return rest;
}

const names = z.registry<{ id: string }>();

/** Names a schema, so that documents define it only once. */
export function sharedSchema<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.add(schema, { id: name });
  return schema;
}

export interface SharedOutput {
  readonly schema: JsonSchema;
  readonly shared: Readonly<Record<string, JsonSchema>>;
}

/** JSON Schema of a result; named records become references `prefix + name`. */
export function createSharedOutput(schema: z.ZodType, prefix: string): SharedOutput {
  const { $defs: shared = {}, ...own } = replaceWithReferences(outputSchema(schema, names), prefix);
  return { schema: own, shared: shared as Record<string, JsonSchema> };
}

function replaceWithReferences(schema: JsonSchema, prefix: string): JsonSchema {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === "$ref" && typeof value === "string") {
      return [key, value.replace(/^#\/\$defs\//, prefix)];
    }
    return [key, replaceValue(value, prefix)];
  });
  return Object.fromEntries(entries);
}

function replaceValue(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceValue(item, prefix));
  return typeof value === "object" && value !== null
    ? replaceWithReferences(value as JsonSchema, prefix)
    : value;
}
