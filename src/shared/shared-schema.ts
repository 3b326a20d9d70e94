import { z } from "zod";
import { type JsonSchema, outputSchema } from "./json-schema.ts";

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
