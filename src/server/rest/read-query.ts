import { type Label, parseRestLabel } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { fieldKind, metaOf } from "../../shared/fields.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseField } from "../../shared/parse-field.ts";
import { shorten } from "../../shared/text.ts";
import type { Route } from "./route.ts";

/**
 * The part of the input in the query string. An unknown or repeated parameter, or a number in any
 * but its plain spelling, throws invalid_input.
 */
export function readQuery(route: Route, query: URLSearchParams): Record<string, unknown> {
  const known = new Map(route.queryFields.map((field) => [parameterOf(route, field), field]));
  const input: Record<string, unknown> = {};
  for (const parameter of new Set(query.keys())) {
    if (parameter === "db") continue;
    const field = known.get(parameter);
    if (field === undefined) throw unknownParameter(route, parameter, [...known.keys(), "db"]);
    input[field] = readValue(route, field, query.getAll(parameter));
  }
  return input;
}

/** The name of a field in a query string. */
export function parameterOf(route: Route, field: string): string {
  return labelParameterOf(route, field) ?? field;
}

/** Labels have a parameter of their own, `key:value`, which can be repeated. */
export function labelParameterOf(route: Route, field: string): string | undefined {
  return metaOf(route.operation.input.shape[field]).queryLabel;
}

function unknownParameter(route: Route, parameter: string, known: readonly string[]): Error {
  const hint =
    route.operation.input.shape[parameter] === undefined || route.queryFields.length > 0
      ? didYouMean(parameter, known)
      : " It belongs into the JSON body.";
  return invalidInput(`unknown query parameter ${JSON.stringify(shorten(parameter, 80))}.${hint}`);
}

function readValue(route: Route, field: string, texts: readonly string[]): unknown {
  const label = labelParameterOf(route, field);
  if (label !== undefined) return texts.map((text) => readLabel(text, label));
  const [text = ""] = texts;
  if (texts.length > 1) throw invalidInput(`${field}: give it once.`);
  return parseField(fieldKind(route.operation.input.shape[field]), text, field);
}

function readLabel(text: string, parameter: string): Label {
  try {
    return parseRestLabel(text);
  } catch (error) {
    if (error instanceof Error) throw invalidInput(`${parameter}: ${error.message}`);
    throw error;
  }
}
