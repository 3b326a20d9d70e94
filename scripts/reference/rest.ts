import { type Operation, scopeOfOperation } from "../../src/memory/index.ts";
import { HTTP_STATUS } from "../../src/server/http/index.ts";
import { createRoutes } from "../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../src/server/rest/store-routes/registry.ts";
import type { StoreRoute } from "../../src/server/rest/store-routes/store-route.ts";
import { renderTable } from "./markdown.ts";

/** Renders the reference of the REST API from the registry and the status table. */
export function renderRest(operations: ReadonlyMap<string, Operation>): string {
  const routes = createRoutes(operations).sort((a, b) => (a.template < b.template ? -1 : 1));
  const rows = routes.map(({ method, template, operation }) => [
    `\`${method} ${template}\``,
    `\`${scopeOfOperation(operation)}\``,
    `${operation.summary} ([${operation.name}](operations.md#${operation.name}))`,
  ]);
  const statuses = Object.entries(HTTP_STATUS).map(([code, status]) => [
    `\`${code}\``,
    `${status}`,
  ]);
  return [
    INTRODUCTION,
    "## Routes\n",
    "The scope is the minimum that a token must have: `metrics`, `read`, `propose`, `write`, `decide` or `admin`;\neach includes those before it ([teams](../guides/team.md)). Routes that are not listed need `read`.\n",
    renderTable(
      ["route", "scope", ""],
      [
        ...rows,
        ...storeRows(),
        ["`GET /metrics`, at the root", "`metrics`", "Metrics for Prometheus"],
      ],
    ),
    "## Errors\n",
    'Every failure is `{"error": {"code", "message", "details"?}}`. `details` of a failed changeset\ncontains its result.\n',
    renderTable(["code", "status"], statuses),
  ].join("\n");
}

function storeRows(): string[][] {
  return STORE_ROUTES.map((route: StoreRoute) => [
    `\`${route.method} ${route.path}\``,
    getRouteScope(route),
    route.summary,
  ]);
}

function getRouteScope({ scope, method, changes }: StoreRoute): string {
  if (scope !== undefined) return `\`${scope}\``;
  if (changes === undefined) return method === "GET" ? "`read`" : "`admin`";
  return changes({ fix: true }) ? "`read`, with `fix` `admin`" : "`read`";
}

const INTRODUCTION = `# REST API

<!-- Generated from src/memory/operations and src/server/http by \`npm run docs\`. -->

\`cairn serve\` provides the REST API at \`http://127.0.0.1:7433/api/v1\`. The OpenAPI 3.1 document is at
\`/api/v1/openapi.json\`, an interactive page at \`/docs\`, and a health check at \`/health\`.
You can generate clients with openapi-typescript (use \`--default-non-nullable=false\` so that fields with a
default are optional), @hey-api/openapi-ts and openapi-python-client.

\`\`\`sh
curl -s http://127.0.0.1:7433/api/v1/episodes \\
  -H 'content-type: application/json' \\
  -d '{"content": "We deploy on Fridays", "episode_type": "decision", "entities": "project:shop"}'
curl -s http://127.0.0.1:7433/api/v1/query \\
  -H 'content-type: application/json' -d '{"query": "when do we deploy?"}'
curl -s 'http://127.0.0.1:7433/api/v1/episodes?limit=5&label=team:core'
curl -sN http://127.0.0.1:7433/api/v1/events -H 'accept: text/event-stream'
\`\`\`

- **Database**: \`?db=NAME\` on every route; otherwise the default database. Reading a database that does not
  exist returns 404; the default database is empty until the first write creates its file.
- **Input**: GET and DELETE read the query string; POST and PATCH read a JSON object with
  \`Content-Type: application/json\`. Ids in paths may be percent-encoded. Numbers must be in canonical form
  (\`5\`, not \`5.0\`). Unknown and repeated parameters are errors, except \`label=key:value\`: all
  labels must match.
- **Lists** accept \`page\` (from 1) and \`limit\` (1 to 500) and return \`total\`, \`page\` and \`limit\`.
- **Idempotency**: \`idempotency_key\` in the body of \`POST /episodes\` and \`POST /apply\`, or the header
  \`Idempotency-Key\`. Repeating a request with the same key returns the first response and writes nothing.
- **Change feed**: \`GET /events?since_seq=N\` returns the events after N. With \`Accept: text/event-stream\` it
  streams one server-sent event per change, with \`seq\` as its id. Events are unnamed, so
  \`EventSource.onmessage\` receives all of them. \`since_seq=latest\` starts with the next event. A client that
  reconnects with \`Last-Event-ID\` continues after that event, without gaps or duplicates. An idle stream sends a
  comment every 15 seconds.
- **Caching**: GET responses have an \`ETag\`; with \`If-None-Match\` the server returns 304 until the next
  write. Long responses are compressed for clients that accept gzip.
- **Guards**: \`Host\` must be a loopback name, the bound host or one of \`--allow-host\`; \`Origin\`, if
  present, must be the server's own or one of \`--allow-origin\`. With \`--token\` or \`CAIRN_TOKEN\` every
  route needs \`Authorization: Bearer TOKEN\`. Limits: 8 MiB per body, 1 MiB for the
  content of an episode, 10 000 ops per changeset.
`;
