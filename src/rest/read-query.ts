import { invalidInput } from "../kernel/errors.ts";
import { didYouMean } from "../kernel/nearest.ts";
import { parseBoolean, parseInteger, parseNumber } from "../kernel/strict-scalars.ts";
import { fieldKind, type Label, parseRestLabel } from "../memory/index.ts";
import type { Route } from "./route.ts";

/** `labels` of an input is `label=key:value`, as often as wanted, in a query string. */
export const LABEL_PARAMETER = "label";

/**
 * The part of the input that the query string gives. Everything is checked: an unknown parameter,
 * one that is given twice and a number in any but its plain spelling throw invalid_input.
 */
export function readQuery(route: Route, query: URLSearchParams): Record<string, unknown> {
  const known = new Map(route.queryFields.map((field) => [parameterOf(field), field]));
  const input: Record<string, unknown> = {};
  for (const parameter of new Set(query.keys())) {
    if (parameter === "db") continue;
    const field = known.get(parameter);
    if (field === undefined) throw unknownParameter(route, parameter, [...known.keys(), "db"]);
    input[field] = readValue(route, field, query.getAll(parameter));
  }
  return input;
}

export function parameterOf(field: string): string {
  return field === "labels" ? LABEL_PARAMETER : field;
}

function unknownParameter(route: Route, parameter: string, known: readonly string[]): Error {
  const hint =
    route.operation.input.shape[parameter] === undefined || route.queryFields.length > 0
      ? didYouMean(parameter, known)
      : " It belongs into the JSON body.";
  return invalidInput(`unknown query parameter ${JSON.stringify(shorten(parameter))}.${hint}`);
}

function readValue(route: Route, field: string, texts: readonly string[]): unknown {
  if (field === "labels") return texts.map(readLabel);
  const [text = ""] = texts;
  if (texts.length > 1) throw invalidInput(`${field}: give it once.`);
  switch (fieldKind(route.operation.input.shape[field])) {
    case "integer":
      return parseInteger(text, field);
    case "number":
      return parseNumber(text, field);
    case "boolean":
      return parseBoolean(text, field);
    default:
      return text;
  }
}

function readLabel(text: string): Label {
  try {
    return parseRestLabel(text);
  } catch (error) {
    if (error instanceof Error) throw invalidInput(`${LABEL_PARAMETER}: ${error.message}`);
    throw error;
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
