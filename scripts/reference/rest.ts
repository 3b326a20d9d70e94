import { type Operation, scopeOfOperation } from "../../src/memory/index.ts";
import { HTTP_STATUS } from "../../src/server/http/index.ts";
import { getRoutes } from "../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../src/server/rest/store-routes/registry.ts";
import type { StoreRoute } from "../../src/server/rest/store-routes/store-route.ts";
import { table } from "./markdown.ts";

/** The reference page of the REST API, from the registry and the table of statuses. */
export function renderRest(operations: ReadonlyMap<string, Operation>): string {
  const routes = getRoutes(operations).sort((a, b) => (a.template < b.template ? -1 : 1));
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
    "The scope is what a token must allow at least: `metrics`, `read`, `propose`, `write`, `decide`, `admin`,\neach with all before it ([a team](../guides/team.md)). What is not listed needs `read`.\n",
    table(
      ["route", "scope", ""],
      [...rows, ...storeRows(), ["`GET /metrics`, at the root", "`metrics`", "For Prometheus"]],
    ),
    "## Errors\n",
    'Every failure is `{"error": {"code", "message", "details"?}}`. A failed changeset holds its\nresult in `details`.\n',
    table(["code", "status"], statuses),
  ].join("\n");
}

function storeRows(): string[][] {
  return STORE_ROUTES.map((route: StoreRoute) => [
    `\`${route.method} ${route.path}\``,
    scopeOfRoute(route),
    route.summary,
  ]);
}

function scopeOfRoute({ scope, method, changes }: StoreRoute): string {
  if (scope !== undefined) return `\`${scope}\``;
  if (changes === undefined) return method === "GET" ? "`read`" : "`admin`";
  return changes({ fix: true }) ? "`read`, with `fix` `admin`" : "`read`";
}

const INTRODUCTION = `# REST API

<!-- Generated from src/memory/operations and src/server/http by \`npm run docs\`. -->

\`cairn serve\` answers under \`http://127.0.0.1:7433/api/v1\`. The OpenAPI 3.1 document is at
\`/api/v1/openapi.json\`, a page to read and to try it at \`/docs\`, a sign of life at \`/health\`.
Clients are generated from it by openapi-typescript (with \`--default-non-nullable=false\`, or fields that
have a default must be given), @hey-api/openapi-ts and openapi-python-client.

\`\`\`sh
curl -s http://127.0.0.1:7433/api/v1/episodes \\
  -H 'content-type: application/json' \\
  -d '{"content": "We deploy on Fridays", "episode_type": "decision", "entities": "project:shop"}'
curl -s http://127.0.0.1:7433/api/v1/query \\
  -H 'content-type: application/json' -d '{"query": "when do we deploy?"}'
curl -s 'http://127.0.0.1:7433/api/v1/episodes?limit=5&label=team:core'
curl -sN http://127.0.0.1:7433/api/v1/events -H 'accept: text/event-stream'
\`\`\`

- **Database**: \`?db=NAME\` on every route; the default one without it. Reading one that does not
  exist is 404, the default one reads as empty; the first write makes the file.
- **Input**: GET and DELETE take the query string, POST and PATCH a JSON object with
  \`Content-Type: application/json\`. Ids in paths may be percent-encoded or not. Numbers have one
  spelling (\`5\`, not \`5.0\`), a parameter is given once, unknown ones are errors. \`label=key:value\`
  may be repeated: all of them must match.
- **Lists** take \`page\` (from 1) and \`limit\` (1 to 500) and say \`total\`, \`page\` and \`limit\`.
- **Once only**: \`idempotency_key\` in the body of \`POST /episodes\` and \`POST /apply\`, or the header
  \`Idempotency-Key\`: the same key with the same request gets the first answer and writes nothing.
- **The change feed**: \`GET /events?since_seq=N\` answers once. With \`Accept: text/event-stream\` it
  stays open: one server-sent event for each change, whose id is its \`seq\`. They have no name, so that
  \`EventSource.onmessage\` gets them all, and \`since_seq=latest\` begins with what comes. A client that connects
  again with \`Last-Event-ID\` goes on behind it, without a gap or a duplicate. A comment comes every
  15 seconds when nothing else does.
- **Caching**: GET answers carry an \`ETag\`; with \`If-None-Match\` they are 304 until something is
  written. Long answers are compressed for clients that accept gzip.
- **Guards**: \`Host\` must be a loopback name, the bound host or one of \`--allow-host\`; \`Origin\`, when
  there is one, this server's own or one of \`--allow-origin\`. With \`--token\` or \`CAIRN_TOKEN\` every
  route needs \`Authorization: Bearer TOKEN\`. A body may have 8 MiB, the content
  of an episode 1 MiB, a changeset 10 000 ops.
`;
