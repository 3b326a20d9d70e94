import type { Operation } from "../../../memory/index.ts";
import { fieldKind } from "../../../shared/fields.ts";
import { jsonIn } from "../../../shared/json.ts";

/**
 * Reads the arguments of a tool call as clients send them: numbers and booleans as text, arrays and objects as JSON
 * text, and a changeset as the structure instead of its text. Anything else stays as it is, so that the operation's
 * own check names the field and what it takes.
 */
export function readArguments(
  { input: { shape } }: Pick<Operation, "input">,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([field, value]) => {
      if (!Object.hasOwn(shape, field)) return [field, value];
      return [field, readArgument(fieldKind(shape[field]), value)];
    }),
  );
}

function readArgument(kind: ReturnType<typeof fieldKind>, value: unknown): unknown {
  if (typeof value === "string") return readText(kind, value);
  // A text that has a JSON form, such as a changeset.
  if (kind === "text" && Array.isArray(value)) return JSON.stringify(value);
  return value;
}

function readText(kind: ReturnType<typeof fieldKind>, text: string): unknown {
  const trimmed = text.trim();
  switch (kind) {
    case "integer":
    case "number":
    case "boolean": {
      const scalar = jsonIn(trimmed.toLowerCase());
      const isOfKind = typeof scalar === (kind === "boolean" ? "boolean" : "number");
      return isOfKind ? scalar : text;
    }
    case "list":
    case "json": {
      const structure = /^[[{]/.test(trimmed) ? jsonIn(trimmed) : undefined;
      return structure ?? text;
    }
    default:
      return text;
  }
}
