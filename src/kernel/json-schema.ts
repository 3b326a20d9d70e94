import { z } from "zod";

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = { [key: string]: unknown };

/** What a caller may send. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

/**
 * What a caller gets. Objects stay open, since fields may be added to answers at any time. Schemas
 * that `shared` has under an id stand in `$defs` by it.
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

/** Bounds that nobody comes near who does not mean to. */
const GENEROUS = { maximum: 500, maxLength: 500, maxItems: 500 };

/** Forms of a text or a list, which the error names to who misses them. */
const FORMS = new Set(["pattern", "format", "minItems"]);

/**
 * The same schema without what a model need not know, for readers who pay by the word: names of keys
 * that are any text, whether there may be further keys (an unknown one is an error that names the
 * nearest), generous bounds and those that go without saying. What is taken as text and in other forms
 * is shown as text.
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

/** Some validators refuse a dialect that they do not know by its address. */
function withoutDialect(schema: object): JsonSchema {
  const { $schema: _dialect, "~standard": _standard, ...rest } = schema as JsonSchema;
  return rest;
}
