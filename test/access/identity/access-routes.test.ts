import { afterAll, beforeAll, expect, it } from "vitest";
import { ACCESS_SCOPES } from "../../../src/shared/caller.ts";
import { patiently } from "../../support/patiently.ts";
import { logIn, type TeamServer, teamServer } from "./support/identity-server.ts";

let server: TeamServer;
let admin: string;

beforeAll(async () => {
  server = await teamServer();
  for (const scope of ACCESS_SCOPES) {
    server.company.accounts[scope] = { email: `${scope}@example.org`, groups: [] };
    await server.roles.grant({ kind: "person", name: `${scope}@example.org` }, scope);
  }
  server.company.accounts.local = { email: "local@example.org", groups: [] };
  await server.roles.grant({ kind: "person", name: "local@example.org" }, "admin", ["shop"]);
  await server.store.open("shop").execute("remember", { content: "The shop opens at nine" });
  admin = (await logIn(server, "admin")).access_token;
}, patiently(30_000));
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
  await expect.poll(() => remember(bruno), { timeout: patiently(5_000) }).toBe(200);
  const { answer } = await send(admin, "GET", "/access");
  expect(answer.roles).toEqual(await server.roles.list());
  expect(answer.roles).toContainEqual(granted.answer);
  const taken = await send(admin, "POST", "/access/revoke", {
    kind: "person",
    name: "Bruno@example.org",
    in: ["shop"],
  });
  expect(taken.status).toBe(200);
  await expect.poll(() => remember(bruno), { timeout: patiently(5_000) }).toBe(403);
  expect((await server.roles.list()).map(({ name }) => name)).not.toContain("bruno@example.org");
});

const AGENT = {
  name: "ci-shop",
  issuer: "https://token.actions.githubusercontent.com",
  audience: "https://memory.example.org",
  claims: { repository: "acme/shop" },
};

it("lists users with their sessions and ends all of them", async () => {
  server.company.accounts.carla = { email: "carla@example.org" };
  const carla = (await logIn(server, "carla")).access_token;
  await logIn(server, "carla");
  const named = async (name: string) => {
    const { answer } = await send(admin, "POST", "/access/people", { name });
    return answer;
  };
  const there = await named("Carla@example.org");
  expect(there).toMatchObject({
    people: [{ name: "carla@example.org", active: true }],
    total: 1,
  });
  const [{ own_database: own, log_ins: clients }] = there.people;
  expect(own).toMatch(/^own-carla-example-org-/);
  expect(clients).toHaveLength(2);
  expect(await named("nobody@example.org")).toEqual({ people: [], total: 0 });
  const all = (await send(admin, "POST", "/access/people", {})).answer;
  expect(all.people).toHaveLength(all.total);
  const pages = [];
  for (let offset = 0; offset < all.total; offset += 2) {
    const { answer } = await send(admin, "POST", "/access/people", { offset, limit: 2 });
    pages.push(...answer.people);
  }
  expect(pages).toEqual(all.people);

  const status = async () => (await send(carla, "GET", "/access")).status;
  expect(await status()).toBe(403);
  const ended = await send(admin, "POST", "/access/end", { name: "carla@example.org" });
  expect(ended).toEqual({ status: 200, answer: { name: "carla@example.org", ended: 2 } });
  await expect.poll(status, { timeout: patiently(5_000) }).toBe(401);
  expect((await named("carla@example.org")).people[0].log_ins).toEqual([]);
  expect((await send(admin, "POST", "/access/end", { name: "nobody" })).status).toBe(404);
});

it("adds and removes a trusted issuer for an agent", async () => {
  const trusted = await send(admin, "POST", "/access/trust", AGENT);
  expect(trusted).toEqual({ status: 200, answer: { ...AGENT, made_at: expect.any(String) } });
  const listed = async () => (await send(admin, "GET", "/access/trusts")).answer.agents;
  expect(await listed()).toEqual([trusted.answer]);
  expect(await server.identity.trusts.list()).toEqual([trusted.answer]);
  for (const [wrong, message] of [
    [{ ...AGENT, claims: {} }, "claim: "],
    [{ ...AGENT, issuer: "http://far.example" }, "issuer: "],
    [{ ...AGENT, name: "a b" }, "agent: "],
  ] as const) {
    const { status, answer } = await send(admin, "POST", "/access/trust", wrong);
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining(message)]);
  }
  const gone = await send(admin, "POST", "/access/distrust", { name: AGENT.name });
  expect(gone).toEqual({ status: 200, answer: { name: AGENT.name } });
  expect(await listed()).toEqual([]);
  expect((await send(admin, "POST", "/access/distrust", { name: AGENT.name })).status).toBe(404);
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
      ["POST", "/access/people", {}],
      ["POST", "/access/end", { name: "admin@example.org" }],
      ["GET", "/access/trusts", undefined],
      ["POST", "/access/trust", { ...AGENT, issuer: "https://other.example" }],
      ["POST", "/access/distrust", { name: AGENT.name }],
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
