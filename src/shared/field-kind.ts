import { z } from "zod";

/**
 * How a field is written where everything is text: on a command line, in a query string, in a compact
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
