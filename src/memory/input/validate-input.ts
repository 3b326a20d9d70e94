import type { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import {
  hasProtoKey,
  isNestedDeeper,
  isPlainObject,
  MAX_JSON_DEPTH,
  PROTO_KEY,
} from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { shorten, toWellFormedJson } from "../../shared/text.ts";

/**
 * Validates input against a schema. The error names each invalid field with its cure and suggests a
 * name for unknown fields. `details.issues` contains `{field, message}`.
 */
export function validateInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  operation: string,
): z.output<Schema> {
  requireFewKeys(input, operation);
  requireFlat(input, operation);
  requireUnchanged(input, operation);
  const parsed = schema.safeParse(withoutNulls(toWellFormedJson(input ?? {})));
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const all = parsed.error.issues.flatMap((issue) => explainIssue(issue, known));
  const issues = all.slice(0, MAX_ISSUES);
  const texts = issues.map(({ field, message }) =>
    field === "" ? message : `${shorten(field, MAX_FIELD_CHARS)}: ${message}`,
  );
  const count = countIssues(parsed.error);
  const more = count > issues.length ? [`and ${count - issues.length} more`] : [];
  throw invalidInput(`${operation}: ${[...texts, ...more].join("; ")}`, { issues });
}

/** Limits the size of error responses. */
const MAX_ISSUES = 20;
const MAX_FIELD_CHARS = 80;

/** Clients send `null` for omitted fields. */
function withoutNulls(input: unknown): unknown {
  if (!isPlainObject(input)) return input;
  const entries = Object.entries(input);
  const values = entries.filter(([, value]) => value !== null);
  return values.length === entries.length ? input : Object.fromEntries(values);
}

function countIssues({ issues }: z.ZodError): number {
  return issues.reduce(
    (sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1),
    0,
  );
}

/** Rejects requests with excessive keys; operations have far fewer fields. */
const MAX_FIELDS = 200;
const MAX_KEYS = 1_000;

function requireFewKeys(input: unknown, operation: string): void {
  if (!isPlainObject(input)) return;
  const fields = Object.entries(input);
  if (fields.length > MAX_FIELDS) {
    const message = `has ${fields.length} fields; at most ${MAX_FIELDS} are allowed`;
    throw invalidInput(`${operation}: ${message}`, { issues: [{ field: "", message }] });
  }
  for (const [field, value] of fields) {
    if (!isPlainObject(value) || Object.keys(value).length <= MAX_KEYS) continue;
    const message = `must have at most ${MAX_KEYS} keys`;
    throw invalidInput(`${operation}: ${field}: ${message}`, { issues: [{ field, message }] });
  }
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

/** Rejects keys that parsing would drop. */
function requireUnchanged(input: unknown, operation: string): void {
  if (!hasProtoKey(input)) return;
  const field = Object.entries(input as object).find(([, value]) => hasProtoKey(value))?.[0] ?? "";
  const message = `cannot have a key "${PROTO_KEY}"; choose another name for it`;
  throw invalidInput(`${operation}: ${field === "" ? message : `${field}: ${message}`}`, {
    issues: [{ field, message }],
  });
}

interface FieldIssue {
  readonly field: string;
  readonly message: string;
}

function explainIssue(issue: z.core.$ZodIssue, known: readonly string[]): FieldIssue[] {
  const field = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
      field: shorten([...issue.path, key].join("."), MAX_FIELD_CHARS),
      message: `unknown field "${shorten(key, MAX_FIELD_CHARS)}".${issue.path.length === 0 ? didYouMean(key, known) : ""}`,
    }));
  }
  if (
    issue.code === "invalid_type" &&
    issue.message.endsWith("received undefined") &&
    field !== ""
  ) {
    return [{ field, message: `is required (${issue.expected})` }];
  }
  return [{ field, message: toPlainMessage(issue) }];
}

/** Describes limits and choices; custom schema messages are unchanged. */
function toPlainMessage(issue: z.core.$ZodIssue): string {
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
