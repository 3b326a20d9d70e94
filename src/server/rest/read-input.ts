import type { Context } from "hono";
import { invalidInput } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { type HttpEnv, parseQuery, readJsonBody } from "../http/index.ts";
import type { Route } from "./route.ts";
import { readQuery } from "./route.ts";

const IDEMPOTENCY_HEADER = "Idempotency-Key";

/**
 * Reads an operation's input from the path, the query (GET, DELETE) or JSON body (POST, PATCH), and
 * `Idempotency-Key`. Throws invalid_input and unsupported_media_type; the operation validates
 * values.
 */
export async function readInput(
  c: Context<HttpEnv>,
  route: Route,
  query: URLSearchParams = parseQuery(c.req.url),
): Promise<object> {
  const fromQuery = readQuery(route, query);
  const fromPath = Object.fromEntries(
    route.pathFields.map((field) => [field, c.req.param(field) ?? ""]),
  );
  const input = route.method === "POST" || route.method === "PATCH" ? await readBody(c) : fromQuery;
  for (const [field, value] of Object.entries({
    ...fromPath,
    ...parseIdempotencyKey(c, route),
    ...parseIfMatch(c, route),
  })) {
    if (Object.hasOwn(input, field) && input[field] !== value) {
      throw invalidInput(`${field}: has two different values.`);
    }
    input[field] = value;
  }
  return input;
}

/** Treats an empty body as an empty object, since some routes need only their path. */
export async function readBody(c: Context<HttpEnv>): Promise<Record<string, unknown>> {
  const isAbsent =
    c.req.header("content-type") === undefined &&
    c.req.header("transfer-encoding") === undefined &&
    Number(c.req.header("content-length") ?? 0) === 0;
  if (isAbsent) return {};
  const body = await readJsonBody(c);
  if (!isPlainObject(body)) throw invalidInput("The body must be a JSON object.");
  return body;
}

function parseIdempotencyKey(c: Context<HttpEnv>, route: Route): Record<string, string> {
  const key = c.req.header(IDEMPOTENCY_HEADER);
  if (key === undefined) return {};
  if (route.operation.input.shape.idempotency_key === undefined) {
    throw invalidInput(`${IDEMPOTENCY_HEADER}: not supported by ${route.operation.name}. Omit it.`);
  }
  return { idempotency_key: key };
}

const VERSION_PATTERN = /^(?:W\/)?"?(?:[^"]*-)?v?(\d{1,15})"?$/;

/** Parses `If-Match`, as an entity tag or bare: `"v12"`, `12`. */
function parseIfMatch(c: Context<HttpEnv>, route: Route): Record<string, number> {
  const tag = c.req.header("if-match")?.trim();
  if (tag === undefined || tag === "*") return {};
  if (route.operation.input.shape.if_match === undefined) {
    throw invalidInput(`If-Match: not supported by ${route.operation.name}.`);
  }
  const version = VERSION_PATTERN.exec(tag)?.[1];
  if (version === undefined) {
    throw invalidInput('If-Match: must be the ETag of the item, or its version such as "v12".');
  }
  return { if_match: Number(version) };
}
