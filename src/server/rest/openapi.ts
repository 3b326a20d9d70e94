import { DATABASE_NAME, ENTITY_TYPES } from "../../memory/index.ts";
import { ERROR_CODES, type ErrorCode } from "../../shared/errors.ts";
import { getMeta, type IdKind } from "../../shared/fields.ts";
import { createSharedOutput, inputSchema, type JsonSchema } from "../../shared/json-schema.ts";
import { HTTP_STATUS } from "../http/index.ts";
import type { Route } from "./route.ts";
import { labelParameterName, parameterName } from "./route.ts";
import { storePaths } from "./store-routes/openapi-paths.ts";

/** Generates OpenAPI 3.1 from request and response schemas. */
export function createOpenApiDocument(routes: readonly Route[], version: string): JsonSchema {
  return {
    openapi: "3.1.0",
    info: {
      title: "cairn",
      version,
      summary: "The memory of agents: episodes, facts, conflicts and concepts.",
      description:
        "Every operation takes `db`, the name of a database. Ids look like `ep:1`, `fact:1`, " +
        "`conflict:1`; times are ISO 8601, UTC.",
      contact: { name: "cairn" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v1" }],
    security: [{}, { token: [] }],
    tags: [...new Set([...routes.map(getTag), "databases", "tokens", "access"])]
      .sort()
      .map((name) => ({ name })),
    paths: buildPaths(routes),
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "Required if the server has a token.",
        },
      },
      parameters: {
        db: DATABASE_PARAMETER,
        idempotencyKey: IDEMPOTENCY_KEY_PARAMETER,
        lastEventId: LAST_EVENT_ID_PARAMETER,
        timeout: TIMEOUT_PARAMETER,
      },
      schemas: { Error: ERROR_SCHEMA, ...collectSchemas(routes) },
      responses: {
        ...Object.fromEntries(
          SHARED_RESPONSE_CODES.map((code) => [
            code,
            { description: describeErrors(code), content: ERROR_CONTENT },
          ]),
        ),
        too_many_requests: {
          description:
            "The caller's rate limit is exceeded; retry after the number of seconds in `Retry-After`.",
          headers: { "Retry-After": { schema: { type: "integer" } } },
          content: ERROR_CONTENT,
        },
        precondition_failed: {
          description:
            "The item was changed in the meantime; `details` contains its current state.",
          content: ERROR_CONTENT,
        },
      },
    },
  };
}

const DATABASE_PARAMETER = {
  name: "db",
  in: "query",
  description: "Name of the database; default: the default database.",
  schema: { type: "string", pattern: DATABASE_NAME.source },
};

const IDEMPOTENCY_KEY_PARAMETER = {
  name: "Idempotency-Key",
  in: "header",
  description: "Repeating a request with the same key returns the first result.",
  schema: { type: "string", minLength: 1, maxLength: 512, pattern: "^[\\x21-\\x7e]+$" },
};

const TIMEOUT_PARAMETER = {
  name: "Cairn-Timeout",
  in: "header",
  description:
    "Request timeout in milliseconds. On timeout the request fails with `busy` and a write stores nothing. The server's own limit still applies.",
  schema: { type: "integer", minimum: 1, maximum: 999_999_999 },
};

const LAST_EVENT_ID_PARAMETER = {
  name: "Last-Event-ID",
  in: "header",
  description: "For streams: resume after the event with this seq.",
  schema: { type: "integer", minimum: 0 },
};

const ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { enum: [...ERROR_CODES] },
        message: { type: "string", description: "Names the field and the fix." },
        details: { description: "Errors of a failed changeset, or by field for invalid input." },
      },
    },
  },
};

const ERROR_CONTENT = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };

const ERROR_DESCRIPTIONS: Readonly<Record<ErrorCode, string>> = {
  invalid_input: "The input is invalid; the message names the field.",
  unauthorized: "The token is missing or invalid.",
  forbidden: "The Host or Origin is not allowed, or the token's scope is insufficient.",
  not_found: "Not found.",
  method_not_allowed: "The method is not allowed for this path.",
  conflict: "The request conflicts with the current state.",
  too_large: "The body or a field is too large.",
  unsupported_media_type: "The body is not declared as JSON.",
  changeset_failed: "Nothing was written; the details name each op that failed.",
  busy: "Another process is writing; try again in a moment.",
  storage_full: "The disk is full: nothing was written.",
  unavailable: "The server is stopping.",
  internal: "Internal error; see the server log.",
};

const SHARED_RESPONSE_CODES = ERROR_CODES.filter(
  (code) => code !== "changeset_failed" && code !== "unavailable",
);

function describeErrors(code: ErrorCode): string {
  const alike = ERROR_CODES.filter((other) => HTTP_STATUS[other] === HTTP_STATUS[code]);
  return alike
    .map((it) => (alike.length === 1 ? ERROR_DESCRIPTIONS[it] : `${it}: ${ERROR_DESCRIPTIONS[it]}`))
    .join(" ");
}

function buildPaths(routes: readonly Route[]): JsonSchema {
  const paths: Record<string, JsonSchema> = storePaths(createErrorResponses);
  const ordered = [...routes].sort((a, b) => (a.template < b.template ? -1 : 1));
  for (const route of ordered) {
    const path = paths[route.template] ?? {};
    path[route.method.toLowerCase()] = describeOperation(route);
    paths[route.template] = path;
  }
  return paths;
}

function describeOperation(route: Route): JsonSchema {
  const { operation, method } = route;
  const hasBody = method === "POST" || method === "PATCH";
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: operation.description ?? `${operation.summary}.`,
    tags: [getTag(route)],
    parameters: describeParameters(route),
    ...(hasBody && {
      requestBody: {
        required: createBodySchema(route).required !== undefined,
        content: {
          "application/json": { schema: { $ref: createSchemaRef(operation.name, "Input") } },
        },
      },
    }),
    responses: {
      "200": {
        description: "Done.",
        content: {
          "application/json": { schema: { $ref: createSchemaRef(operation.name, "Output") } },
          ...(route.stream && {
            "text/event-stream": { schema: { type: "string" } },
          }),
        },
      },
      ...(method === "GET" && { "304": { description: "Unchanged since the given ETag." } }),
      ...("if_match" in operation.input.shape && {
        "412": { $ref: "#/components/responses/precondition_failed" },
      }),
      "429": { $ref: "#/components/responses/too_many_requests" },
      ...createErrorResponses(listErrors(route)),
    },
  };
}

function listErrors({ method, operation }: Route): readonly ErrorCode[] {
  const always = [
    "invalid_input",
    "unauthorized",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "internal",
    "busy",
  ] as const;
  const ofBodies = ["too_large", "unsupported_media_type"] as const;
  const hasBody = method === "POST" || method === "PATCH";
  return [
    ...always,
    ...(hasBody ? ofBodies : []),
    ...(operation.kind === "write" ? (["conflict", "storage_full"] as const) : []),
  ];
}

function createErrorResponses(codes: readonly ErrorCode[]): JsonSchema {
  return Object.fromEntries(
    codes.map((code) => [HTTP_STATUS[code], { $ref: `#/components/responses/${code}` }]),
  );
}

function describeParameters(route: Route): JsonSchema[] {
  const { shape } = route.operation.input;
  const properties = getProperties(inputSchema(route.operation.input));
  const required = inputSchema(route.operation.input).required as string[] | undefined;
  const ofPath = route.pathFields.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", pattern: idPattern(shape[name]) },
  }));
  const ofQuery = route.queryFields.map((field) => {
    const label = labelParameterName(route, field);
    if (label !== undefined) return labelParameter(label, properties[field]);
    const { description, ...schema } = addIdPattern(properties[field] ?? {}, shape[field]);
    return {
      name: parameterName(route, field),
      in: "query",
      required: required?.includes(field) === true && !("default" in schema),
      ...(description !== undefined && { description }),
      schema: Object.keys(schema).length === 0 ? { type: "string" } : schema,
    };
  });
  return [
    ...ofPath,
    ...ofQuery,
    { $ref: "#/components/parameters/db" },
    { $ref: "#/components/parameters/timeout" },
    ...("idempotency_key" in shape ? [{ $ref: "#/components/parameters/idempotencyKey" }] : []),
    ...(route.stream ? [{ $ref: "#/components/parameters/lastEventId" }] : []),
  ];
}

const ID_PATTERNS: Readonly<Record<IdKind, string>> = {
  episode: "^ep:[1-9][0-9]{0,14}$",
  concept: "^[A-Za-z0-9_-]{1,128}$",
  item: "^.+$",
  fact: "^fact:[1-9][0-9]{0,14}$",
  claim: "^(fact|ep):[1-9][0-9]{0,14}$",
  conflict: "^conflict:[1-9][0-9]{0,14}$",
  topic: "^.+$",
  source: "^source:[1-9][0-9]{0,14}$",
  passage: "^passage:[1-9][0-9]{0,14}$",
  proposal: "^proposal:[1-9][0-9]{0,14}$",
  entity: `^(${ENTITY_TYPES.join("|")}):[^,\\s][^,]*$`,
};

function idPattern(field: unknown): string {
  const { names } = getMeta(field);
  return names === undefined ? "^.+$" : ID_PATTERNS[names];
}

/** Gives ids in bodies and queries the same pattern as in paths. */
function addIdPattern(schema: JsonSchema, field: unknown): JsonSchema {
  const { names } = getMeta(field);
  if (names === undefined || schema.type !== "string" || schema.pattern !== undefined)
    return schema;
  // An empty string clears the value of some fields.
  const pattern = schema.minLength === 1 ? ID_PATTERNS[names] : `^$|${ID_PATTERNS[names]}`;
  return { ...schema, pattern };
}

function labelParameter(name: string, schema: JsonSchema | undefined): JsonSchema {
  return {
    name,
    in: "query",
    description: `${schema?.description ?? "Labels."} Each as \`key:value\`; repeatable.`,
    explode: true,
    schema: { type: "array", items: { type: "string", pattern: "^[^:=\\s]+:[^\\s]+$" } },
  };
}

const SCHEMA_PREFIX = "#/components/schemas/";

function collectSchemas(routes: readonly Route[]): JsonSchema {
  const schemas: JsonSchema = {};
  for (const route of routes) {
    const { name, output } = route.operation;
    if (route.method === "POST" || route.method === "PATCH") {
      schemas[schemaName(name, "Input")] = createBodySchema(route);
    }
    const { schema, shared } = createSharedOutput(output, SCHEMA_PREFIX);
    schemas[schemaName(name, "Output")] = schema;
    Object.assign(schemas, shared);
  }
  return schemas;
}

/** Returns the input schema without path fields. */
function createBodySchema({ operation, method, pathFields }: Route): JsonSchema {
  const schema = inputSchema(operation.input);
  const properties = Object.entries(getProperties(schema))
    .filter(([name]) => !pathFields.includes(name))
    .map(([name, field]) => [name, addIdPattern(field, operation.input.shape[name])]);
  const required = ((schema.required as string[] | undefined) ?? []).filter(
    (name) => !pathFields.includes(name),
  );
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    ...(method === "PATCH" && { minProperties: 1 }),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function getProperties(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema.properties as Record<string, JsonSchema> | undefined) ?? {};
}

/** `remember` → `RememberInput` */
function schemaName(operation: string, part: "Input" | "Output"): string {
  const words = operation.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return words.join("") + part;
}

function createSchemaRef(operation: string, part: "Input" | "Output"): string {
  return SCHEMA_PREFIX + schemaName(operation, part);
}

/** Groups routes by the first path segment. */
function getTag({ template }: Route): string {
  return template.split("/")[1] ?? "";
}
