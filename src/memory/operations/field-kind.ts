import { z } from "zod";

/** How a field is written where everything is text: on a command line, in a query string. */
export type FieldKind = "text" | "integer" | "number" | "boolean" | "list" | "json";

/** The kind of a field of an operation's input, looking through defaults, unions and pipes. */
export function fieldKind(schema: unknown): FieldKind {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber) {
    return inner.def.checks?.some(isIntegerCheck) ? "integer" : "number";
  }
  if (inner instanceof z.ZodBoolean) return "boolean";
  if (inner instanceof z.ZodArray) return "list";
  if (inner instanceof z.ZodUnion) {
    return inner.options.some((option) => unwrap(option) instanceof z.ZodArray) ? "list" : "text";
  }
  return "text";
}

/** The default that a field takes when it is not given. */
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

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap());
  }
  if (schema instanceof z.ZodNullable) return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPipe) {
    return schema.in instanceof z.ZodTransform ? unwrap(schema.out) : unwrap(schema.in);
  }
  return schema;
}
