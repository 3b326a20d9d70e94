import type { Operation, RestExposure } from "../../memory/index.ts";
import { type Label, parseRestLabel } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { fieldKind, getMeta } from "../../shared/fields.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseField } from "../../shared/parse-field.ts";
import { shorten } from "../../shared/text.ts";

export const REST_PREFIX = "/api/v1";

export interface Route {
  readonly operation: Operation;
  readonly method: RestExposure["method"];
  /** Streams events to clients that accept `text/event-stream`. */
  readonly stream: boolean;
  readonly template: string;
  readonly pathFields: readonly string[];
  readonly queryFields: readonly string[];
}

export function createRoutes(operations: ReadonlyMap<string, Operation>): Route[] {
  return [...operations.values()]
    .flatMap((operation) => createRoute(operation) ?? [])
    .sort((a, b) => literalSegments(b.template) - literalSegments(a.template));
}

export function operationsByRoute(
  operations: ReadonlyMap<string, Operation>,
): ReadonlyMap<string, string> {
  return new Map(
    createRoutes(operations).map(({ method, template, operation }) => [
      `${method} ${REST_PREFIX}${template}`,
      operation.name,
    ]),
  );
}

function createRoute(operation: Operation): Route | undefined {
  if (operation.rest === false) return undefined;
  const fallback = { method: "POST", path: `/${operation.name.replaceAll("_", "-")}` } as const;
  const { method, path, stream = false }: RestExposure = operation.rest ?? fallback;
  const pathFields = Array.from(path.matchAll(/\{(\w+)\}/g), ([, field]) => field ?? "");
  const others = Object.keys(operation.input.shape).filter((field) => !pathFields.includes(field));
  const hasBody = method === "POST" || method === "PATCH";
  return {
    operation,
    method,
    stream,
    template: path,
    pathFields,
    queryFields: hasBody ? [] : others,
  };
}

/** `/entities/{entity_id}/episodes` → `/entities/:entity_id{.+}/episodes` */
export function routerPath({ template, operation }: Route): string {
  return template.replaceAll(/\{(\w+)\}/g, (_match, field: string) =>
    containsSlashes(operation, field) ? `:${field}{.+}` : `:${field}`,
  );
}

/** Entity names can contain slashes, encoded or not, so their ids span several segments. */
function containsSlashes({ input }: Operation, field: string): boolean {
  return getMeta(input.shape[field]).names === "entity";
}

function literalSegments(template: string): number {
  return template.split("/").filter((segment) => segment !== "" && !segment.startsWith("{")).length;
}

/**
 * Parses the query string. Throws invalid_input for unknown or repeated parameters and unusual
 * number formats.
 */
export function readQuery(route: Route, query: URLSearchParams): Record<string, unknown> {
  const known = new Map(route.queryFields.map((field) => [parameterName(route, field), field]));
  const input: Record<string, unknown> = {};
  for (const parameter of new Set(query.keys())) {
    if (parameter === "db") continue;
    const field = known.get(parameter);
    if (field === undefined) throw unknownParameterError(route, parameter, [...known.keys(), "db"]);
    input[field] = readValue(route, field, query.getAll(parameter));
  }
  return input;
}

export function parameterName(route: Route, field: string): string {
  return labelParameterName(route, field) ?? field;
}

/** Labels use a repeatable parameter `key:value`. */
export function labelParameterName(route: Route, field: string): string | undefined {
  return getMeta(route.operation.input.shape[field]).queryLabel;
}

function unknownParameterError(route: Route, parameter: string, known: readonly string[]): Error {
  const hint =
    route.operation.input.shape[parameter] === undefined || route.queryFields.length > 0
      ? didYouMean(parameter, known)
      : " It belongs in the JSON body.";
  return invalidInput(`unknown query parameter ${JSON.stringify(shorten(parameter, 80))}.${hint}`);
}

function readValue(route: Route, field: string, texts: readonly string[]): unknown {
  const label = labelParameterName(route, field);
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
