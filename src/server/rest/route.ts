import type { Operation, RestExposure } from "../../memory/index.ts";
import { metaOf } from "../../shared/fields.ts";

export const REST_PREFIX = "/api/v1";

/** The route of an operation. */
export interface Route {
  readonly operation: Operation;
  readonly method: RestExposure["method"];
  /** The path below the prefix, with fields in braces: `/concepts/{concept_id}`. */
  readonly template: string;
  /** Fields of the input that the path binds. */
  readonly pathFields: readonly string[];
  /** Fields of the input that the query string binds; the others are in a JSON body. */
  readonly queryFields: readonly string[];
}

export function routesOf(operations: ReadonlyMap<string, Operation>): Route[] {
  return Array.from(operations.values(), routeOf).sort(
    (a, b) => literalSegments(b.template) - literalSegments(a.template),
  );
}

/** Names of operations by method and path, such as `GET /api/v1/recall`. */
export function operationsByRoute(
  operations: ReadonlyMap<string, Operation>,
): ReadonlyMap<string, string> {
  return new Map(
    routesOf(operations).map(({ method, template, operation }) => [
      `${method} ${REST_PREFIX}${template}`,
      operation.name,
    ]),
  );
}

function routeOf(operation: Operation): Route {
  const fallback = { method: "POST", path: `/${operation.name.replaceAll("_", "-")}` } as const;
  const { method, path } = operation.rest ?? fallback;
  const pathFields = Array.from(path.matchAll(/\{(\w+)\}/g), ([, field]) => field ?? "");
  const others = Object.keys(operation.input.shape).filter((field) => !pathFields.includes(field));
  const hasBody = method === "POST" || method === "PATCH";
  return { operation, method, template: path, pathFields, queryFields: hasBody ? [] : others };
}

/** `/entities/{entity_id}/episodes` → `/entities/:entity_id{.+}/episodes` */
export function routerPath({ template, operation }: Route): string {
  return template.replaceAll(/\{(\w+)\}/g, (_match, field: string) =>
    holdsSlashes(operation, field) ? `:${field}{.+}` : `:${field}`,
  );
}

/** Names of entities can contain slashes, encoded or not, so their ids span several segments. */
function holdsSlashes({ input }: Operation, field: string): boolean {
  return metaOf(input.shape[field]).names === "entity";
}

function literalSegments(template: string): number {
  return template.split("/").filter((segment) => segment !== "" && !segment.startsWith("{")).length;
}
