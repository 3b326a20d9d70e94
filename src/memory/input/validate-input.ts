import type { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import { holdsLostKey, isNestedDeeper, LOST_KEY, MAX_JSON_DEPTH } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";

/**
 * Checks `input` against a schema. The error names each field and its cure; unknown fields name the
 * nearest known one. `details.issues` holds `{field, message}` for programs.
 */
export function validateInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  operation: string,
): z.output<Schema> {
  requireFlat(input, operation);
  requireKept(input, operation);
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const issues = parsed.error.issues.flatMap((issue) => explain(issue, known));
  throw invalidInput(
    `${operation}: ${issues.map((issue) => (issue.field === "" ? issue.message : `${issue.field}: ${issue.message}`)).join("; ")}`,
    { issues },
  );
}

function requireFlat(input: unknown, operation: string): void {
  if (!isNestedDeeper(input)) return;
  const fields = Object.entries(input as object);
  const field = fields.find(([, value]) => isNestedDeeper(value, MAX_JSON_DEPTH - 1))?.[0];
  const message = `is nested deeper than ${MAX_JSON_DEPTH} levels`;
  throw invalidInput(`${operation}: ${field === undefined ? message : `${field}: ${message}`}`, {
    issues: [{ field: field ?? "", message }],
  });
}

/** A key that would be lost is refused with words. */
function requireKept(input: unknown, operation: string): void {
  if (!holdsLostKey(input)) return;
  const field = Object.entries(input as object).find(([, value]) => holdsLostKey(value))?.[0] ?? "";
  const message = `cannot have a key "${LOST_KEY}"; choose another name for it`;
  throw invalidInput(`${operation}: ${field === "" ? message : `${field}: ${message}`}`, {
    issues: [{ field, message }],
  });
}

interface FieldIssue {
  readonly field: string;
  readonly message: string;
}

function explain(issue: z.core.$ZodIssue, known: readonly string[]): FieldIssue[] {
  const field = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: [...issue.path, key].join("."),
      message: `unknown field "${key}".${issue.path.length === 0 ? didYouMean(key, known) : ""}`,
    }));
  }
  if (
    issue.code === "invalid_type" &&
    issue.message.endsWith("received undefined") &&
    field !== ""
  ) {
    return [{ field, message: `is required (${issue.expected})` }];
  }
  return [{ field, message: plainMessage(issue) }];
}

/** Bounds and choices in words; messages that a schema sets itself stay. */
function plainMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_big" && issue.message.startsWith("Too big")) {
    return `must be at most ${issue.maximum}`;
  }
  if (issue.code === "too_small" && issue.message.startsWith("Too small")) {
    return `must be at least ${issue.minimum}`;
  }
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid option")) {
    return `must be one of ${issue.values.join(", ")}`;
  }
  return issue.message;
}
