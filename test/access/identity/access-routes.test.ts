import { afterAll, beforeAll, expect, it } from "vitest";
import { ACCESS_SCOPES } from "../../../src/shared/caller.ts";
import { logIn, startTeamServer, type TeamServer } from "./support/identity-server.ts";

let server: TeamServer;
let admin: string;

beforeAll(async () => {
  server = await startTeamServer();
  for (const scope of ACCESS_SCOPES) {
    server.company.accounts[scope] = { email: `${scope}@example.org`, groups: [] };
    await server.roles.grant({ kind: "person", name: `${scope}@example.org` }, scope);
  }
  server.company.accounts.local = { email: "local@example.org", groups: [] };
  await server.roles.grant({ kind: "person", name: "local@example.org" }, "admin", ["shop"]);
  await server.store.open("shop").execute("remember", { content: "The shop opens at nine" });
  admin = (await logIn(server, "admin")).access_token;
}, 90_000);
afterAll(() => server.end());

async function send(token: string, method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: JSON.parse(await response.text()) };
}

const remember = async (token: string) =>
  (await send(token, "POST", "/episodes?db=shop", { content: "Bread rises at four" })).status;

it("applies granted and revoked roles immediately", async () => {
  const bruno = (await logIn(server, "bruno")).access_token;
  expect(await remember(bruno)).toBe(403);
  const granted = await send(admin, "POST", "/access/grant", {
    kind: "person",
    name: "bruno@example.org",
    role: "write",
    in: ["shop"],
  });
  expect(granted).toEqual({
    status: 200,
    answer: {
      kind: "person",
      name: "bruno@example.org",
      roles: { shop: "write" },
      changed_at: expect.any(String),
    },
  });
  await expect.poll(() => remember(bruno), { timeout: 15_000 }).toBe(200);
  const { answer } = await send(admin, "GET", "/access");
  expect(answer.roles).toEqual(await server.roles.list());
  expect(answer.roles).toContainEqual(granted.answer);
  const taken = await send(admin, "POST", "/access/revoke", {
    kind: "person",
    name: "Bruno@example.org",
    in: ["shop"],
  });
  expect(taken.status).toBe(200);
  await expect.poll(() => remember(bruno), { timeout: 15_000 }).toBe(403);
  expect((await server.roles.list()).map(({ name }) => name)).not.toContain("bruno@example.org");
});

it("requires the admin role in all databases", async () => {
  const before = await server.roles.list();
  const others = [...ACCESS_SCOPES.filter((scope) => scope !== "admin"), "local"];
  for (const who of others) {
    const token = (await logIn(server, who)).access_token;
    const grant = { kind: "everyone", role: "admin" };
    const revoke = { kind: "person", name: "admin@example.org" };
    for (const [method, path, body] of [
      ["GET", "/access", undefined],
      ["POST", "/access/grant", grant],
      ["POST", "/access/revoke", revoke],
    ] as const) {
      const { status, answer } = await send(token, method, path, body);
      expect([who, path, status, answer.error?.code]).toEqual([who, path, 403, "forbidden"]);
    }
  }
  expect(await server.roles.list()).toEqual(before);
});

it.each([
  ["grant", { kind: "person", role: "read" }, 400, "name: must name the person"],
  ["grant", { kind: "everyone", name: "ada", role: "read" }, 400, "name: must be omitted"],
  ["grant", { kind: "robot", name: "x", role: "read" }, 400, "kind"],
  ["grant", { kind: "group", name: "dev", role: "owner" }, 400, "role"],
  ["grant", { kind: "group", name: "dev", role: "read", in: ["../x"] }, 400, "in: "],
  [
    "grant",
    { kind: "group", name: "dev", role: "metrics", in: ["shop"] },
    400,
    "in: not allowed for this role",
  ],
  ["revoke", { kind: "group", name: "nobody" }, 404, "cairn access list"],
] as const)("rejects %s of %j with a reason", async (action, body, expected, message) => {
  const { status, answer } = await send(admin, "POST", `/access/${action}`, body);
  expect([status, answer.error.message]).toEqual([expected, expect.stringContaining(message)]);
});
