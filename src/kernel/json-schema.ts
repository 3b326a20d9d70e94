import { z } from "zod";

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = { [key: string]: unknown };

/** What a caller may send. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

/** What a caller gets. Objects stay open, since fields may be added to answers at any time. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(
    z.toJSONSchema(schema, {
      io: "output",
      unrepresentable: "any",
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    }),
  );
}

/** Some validators refuse a dialect that they do not know by its address. */
function withoutDialect(schema: object): JsonSchema {
  const { $schema: _dialect, "~standard": _standard, ...rest } = schema as JsonSchema;
  return rest;
}
