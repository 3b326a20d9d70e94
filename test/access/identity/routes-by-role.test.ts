import { afterAll, beforeAll, expect, it } from "vitest";
import { createOperations, scopeOfOperation } from "../../../src/memory/index.ts";
import { createRoutes } from "../../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../../src/server/rest/store-routes/registry.ts";
import { ACCESS_SCOPES, type AccessScope } from "../../../src/shared/caller.ts";
import { logIn, startTeamServer, type TeamServer } from "./support/identity-server.ts";

let server: TeamServer;

/**
 * Tokens by name: one user per role for all databases, `mixed` with a different role in two
 * databases, and `nobody`.
 */
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await startTeamServer();
  for (const scope of ACCESS_SCOPES) {
    server.company.accounts[scope] = { email: `${scope}@example.org`, groups: [`all-${scope}`] };
    await server.roles.grant({ kind: "group", name: `all-${scope}` }, scope);
  }
  server.company.accounts.mixed = { email: "mixed@example.org", groups: ["mixed"] };
  await server.roles.grant({ kind: "group", name: "mixed" }, "write", ["web"]);
  await server.roles.grant({ kind: "group", name: "mixed" }, "read", ["docs"]);
  server.company.accounts.nobody = { email: "nobody@example.org", groups: [] };
  for (const name of ["web", "docs", "hr"]) {
    await server.store.open(name).execute("remember", { content: `Of ${name}` });
  }
  for (const who of [...ACCESS_SCOPES, "mixed", "nobody"]) {
    tokens.set(who, (await logIn(server, who)).access_token);
  }
}, 90_000);
afterAll(() => server.end());

async function send(token: string | undefined, method: string, path: string, body?: object) {
  const response = await fetch(server.url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status } = response;
  return {
    text,
    status,
    outcome: status === 403 ? "refused" : status === 401 ? "unknown" : "let in",
  };
}

const operationCalls = createRoutes(createOperations()).map(({ method, template, operation }) => ({
  method,
  path: `/api/v1${template.replaceAll(/\{\w+\}/g, "ep:999")}`,
  body: method === "GET" || method === "DELETE" ? undefined : {},
  needed: scopeOfOperation(operation),
}));

const storeCalls = STORE_ROUTES.map(({ method, path }) => ({
  method,
  path: `/api/v1${path.replaceAll(/\{\w+\}/g, "none")}`,
  body: method === "POST" ? {} : undefined,
}));

const rank = (scope: AccessScope) => ACCESS_SCOPES.indexOf(scope);

it("enforces each role on every operation route", async () => {
  expect(operationCalls.length).toBeGreaterThan(50);
  for (const { method, path, body, needed } of operationCalls) {
    for (const role of ACCESS_SCOPES) {
      const { outcome } = await send(tokens.get(role), method, path, body);
      const expected = rank(role) >= rank(needed) ? "let in" : "refused";
      expect([method, path, role, outcome]).toEqual([method, path, role, expected]);
    }
  }
}, 180_000);

it("applies roles per database", async () => {
  const roles = { web: "write", docs: "read", hr: undefined } as const;
  for (const { method, path, body, needed } of operationCalls) {
    for (const [db, role] of Object.entries(roles)) {
      const { outcome } = await send(tokens.get("mixed"), method, `${path}?db=${db}`, body);
      const isLetIn = role !== undefined && rank(role) >= rank(needed);
      expect([method, path, db, outcome]).toEqual([
        method,
        path,
        db,
        isLetIn ? "let in" : "refused",
      ]);
    }
    const { outcome } = await send(tokens.get("nobody"), method, `${path}?db=web`, body);
    expect([method, path, outcome]).toEqual([method, path, "refused"]);
  }
}, 180_000);

it("requires a global role for routes about all databases", async () => {
  for (const path of ["/api/v1/tokens", "/api/v1/access", "/api/v1/bin", "/metrics"]) {
    expect([path, (await send(tokens.get("mixed"), "GET", path)).outcome]).toEqual([
      path,
      "refused",
    ]);
    expect([path, (await send(tokens.get("admin"), "GET", path)).outcome]).toEqual([
      path,
      "let in",
    ]);
  }
  const { text } = await send(tokens.get("mixed"), "GET", "/api/v1/databases");
  const { databases } = JSON.parse(text) as { databases: { name: string }[] };
  expect(databases.map(({ name }) => name)).toEqual(["docs", "web"]);
});

/** All routes that respond without a token. Additions are accessible to everyone. */
const PUBLIC: readonly (readonly [method: string, path: string])[] = [
  ["GET", "/health/live"],
  ["GET", "/health/ready"],
  ["GET", "/ui"],
  ["GET", "/ui/"],
  ["GET", "/.well-known/oauth-protected-resource"],
  ["GET", "/.well-known/oauth-protected-resource/mcp"],
  ["GET", "/.well-known/oauth-authorization-server"],
  ["GET", "/.well-known/oauth-authorization-server/mcp"],
  ["GET", "/oauth/authorize"],
  ["GET", "/oauth/callback"],
  ["POST", "/oauth/consent"],
  ["GET", "/oauth/device"],
  ["POST", "/oauth/device"],
  ["POST", "/oauth/token"],
  ["POST", "/oauth/register"],
  ["POST", "/oauth/revoke"],
  ["POST", "/oauth/device_authorization"],
];

it("requires a token on all paths but the public ones", async () => {
  for (const [method, path] of PUBLIC) {
    const { outcome, status } = await send(undefined, method, path);
    expect([method, path, outcome]).toEqual([method, path, "let in"]);
    expect([path, status]).not.toEqual([path, 404]);
  }
  const closed = [
    ...operationCalls,
    ...storeCalls,
    ...["/", "/health", "/mcp", "/metrics", "/api/v1/openapi.json", "/nowhere"].map((path) => ({
      method: "GET",
      path,
      body: undefined,
    })),
    { method: "POST", path: "/mcp", body: {} },
    { method: "GET", path: "/oauth/authorize/x", body: undefined },
    { method: "GET", path: "/.well-known/openid-configuration", body: undefined },
  ];
  for (const { method, path, body } of closed) {
    const { outcome } = await send(undefined, method, path, body);
    expect([method, path, outcome]).toEqual([method, path, "unknown"]);
  }
});
