import { DATABASE_NAME } from "../../../memory/index.ts";
import { inputSchema, type JsonSchema, outputSchema } from "../../../shared/json-schema.ts";
import { STORE_ROUTES } from "./registry.ts";
import { downloadType, type StoreRoute } from "./store-route.ts";

const ERRORS = ["invalid_input", "unauthorized", "forbidden", "not_found", "conflict"] as const;

export function storePaths(
  errorResponses: (codes: readonly (typeof ERRORS)[number][]) => JsonSchema,
): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const route of STORE_ROUTES) {
    const known = paths[route.path] ?? {};
    paths[route.path] = {
      ...known,
      [route.method.toLowerCase()]: {
        operationId: route.id,
        summary: route.summary,
        description: `${route.summary}.`,
        tags: [route.tag ?? "databases"],
        parameters: describeParameters(route),
        ...(route.method === "POST" && {
          requestBody: {
            required: route.body.safeParse({}).success === false,
            content: { "application/json": { schema: inputSchema(route.body) } },
          },
        }),
        responses: {
          "200": describeResponse(route),
          "429": { $ref: "#/components/responses/too_many_requests" },
          ...errorResponses([...ERRORS]),
        },
      },
    };
  }
  return paths;
}

function describeParameters({ path }: StoreRoute): JsonSchema[] {
  const bound = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", ...(name === "name" && { pattern: DATABASE_NAME.source }) },
  }));
  return [...bound, { $ref: "#/components/parameters/db" }];
}

function describeResponse(route: StoreRoute): JsonSchema {
  const { output, isLong, summary } = route;
  const file = downloadType(route);
  const schema = file === undefined ? outputSchema(output) : { type: "string", format: "binary" };
  return {
    description: summary,
    content: {
      [file ?? "application/json"]: { schema },
      ...(isLong === true && { "text/event-stream": { schema: { type: "string" } } }),
    },
  };
}
