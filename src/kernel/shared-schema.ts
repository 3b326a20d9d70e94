import { z } from "zod";
import { type JsonSchema, outputSchema } from "./json-schema.ts";

/** Names of records that many answers hold. */
const names = z.registry<{ id: string }>();

/** The schema under a name, by which a document of many schemas describes it once. */
export function sharedSchema<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.add(schema, { id: name });
  return schema;
}

export interface SharedOutput {
  readonly schema: JsonSchema;
  /** What the schema refers to, by name. */
  readonly shared: Readonly<Record<string, JsonSchema>>;
}

/** What a caller gets, with references `prefix + name` to the records that have a name. */
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
