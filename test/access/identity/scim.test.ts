import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { People } from "../../../src/access/identity/index.ts";
import { askedFor, parseFilter } from "../../../src/access/identity/scim/filter.ts";
import { patched } from "../../../src/access/identity/scim/patch.ts";
import { patiently } from "../../support/patiently.ts";
import { authorize, logIn, type TeamServer, teamServer } from "./support/identity-server.ts";

let server: TeamServer;

const SCIM = "a-token-of-the-directory";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

beforeAll(async () => {
  server = await teamServer({ settings: { scimToken: SCIM, leaving: "bin" } });
  await server.roles.grant({ kind: "group", name: "Engineering" }, "write", ["shop"]);
  await server.roles.grant({ kind: "everyone", name: "" }, "admin", ["@own"]);
  await server.store.open("shop").execute("remember", { content: "The shop opens at nine" });
});
afterAll(() => server.end());

async function scim(method: string, path: string, body?: object, token: string = SCIM) {
  const answer = await fetch(`${server.url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

async function provision(userName: string, further: object = {}) {
  return (await scim("POST", "/Users", { userName, active: true, ...further })).body.id as string;
}

it("lets in whom the directory told of, with the roles of its groups, and nobody else", async () => {
  await expect(authorize(server)).rejects.toThrow(/403[\s\S]*has not told cairn of you/);
  const id = await provision("Ada@example.org", { name: { givenName: "Ada" }, externalId: "ada" });
  const group = await scim("POST", "/Groups", {
    displayName: "Engineering",
    members: [{ value: id }],
  });
  expect(group.status).toBe(201);
  const ada = await logIn(server, "ada");
  const stats = () =>
    fetch(`${server.url}/api/v1/stats?db=shop`, {
      headers: { authorization: `Bearer ${ada.access_token}` },
    });
  await expect.poll(async () => (await stats()).status, { timeout: patiently(3_000) }).toBe(200);
  const shown = await scim("GET", `/Users/${id}`);
  expect(shown.body).toMatchObject({
    userName: "Ada@example.org",
    groups: [{ display: "Engineering" }],
  });
  await scim("PATCH", `/Groups/${group.body.id}`, {
    schemas: [PATCH],
    Operations: [{ op: "Remove", path: `members[value eq "${id}"]` }],
  });
  await expect.poll(async () => (await stats()).status, { timeout: patiently(5_000) }).toBe(403);
  await scim("PATCH", `/Groups/${group.body.id}`, {
    schemas: [PATCH],
    Operations: [{ op: "Add", path: "members", value: [{ value: id }] }],
  });
  await expect.poll(async () => (await stats()).status, { timeout: patiently(5_000) }).toBe(200);
});

it("ends everything of who leaves within seconds, streams and sessions included", async () => {
  const id = await provision("bruno@example.org", { externalId: "bruno" });
  const group = (await scim("GET", '/Groups?filter=displayName eq "engineering"')).body.Resources[0]
    .id;
  await scim("PATCH", `/Groups/${group}`, {
    schemas: [PATCH],
    Operations: [{ op: "add", path: "members", value: [{ value: id }] }],
  });
  const bruno = await logIn(server, "bruno");
  const headers = { authorization: `Bearer ${bruno.access_token}` };
  const own = (await server.identity.people.get(id))?.own_database ?? "";
  await expect
    .poll(
      async () =>
        (
          await fetch(`${server.url}/api/v1/episodes?db=${own}`, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify({ content: "Only mine" }),
          })
        ).status,
      { timeout: patiently(5_000) },
    )
    .toBe(200);
  const stream = await fetch(`${server.url}/api/v1/events?db=shop`, {
    headers: { ...headers, accept: "text/event-stream" },
  });
  expect(stream.status).toBe(200);
  const client = new Client({ name: "test", version: "0" });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp?db=shop`), {
    requestInit: { headers },
  });
  await client.connect(transport as Transport);
  const told: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.push(params.uri);
  });
  await client.subscribeResource({ uri: "memory://stats" });
  const left = await scim("PATCH", `/Users/${id}`, {
    schemas: [PATCH],
    Operations: [{ op: "Replace", path: "active", value: "False" }],
  });
  expect(left.body).toMatchObject({ active: false });
  const began = performance.now();
  await stream.text();
  expect(performance.now() - began).toBeLessThan(patiently(10_000));
  expect((await fetch(`${server.url}/api/v1/stats?db=shop`, { headers })).status).toBe(401);
  await server.store.open("shop").execute("remember", { content: "Nobody hears of this" });
  await expect(client.listTools()).rejects.toThrow();
  expect(told).toEqual([]);
  // What was theirs alone lies in the bin, as the setting says.
  expect((await server.store.bin()).map(({ name }) => name)).toContain(own);
  await expect(logIn(server, "bruno")).rejects.toThrow(/403[\s\S]*has left/);
  await scim("PUT", `/Users/${id}`, { userName: "bruno@example.org", active: true });
  expect((await logIn(server, "bruno")).access_token).toContain("cairn_s_");
  expect((await scim("DELETE", `/Users/${id}`)).status).toBe(204);
  expect((await scim("GET", `/Users/${id}`)).status).toBe(404);
  await expect(logIn(server, "bruno")).rejects.toThrow(/403/);
});

it("ends what a server that was killed had not ended, when the directory says so again", async () => {
  const id = await provision("dora@example.org", { externalId: "dora" });
  server.company.accounts.dora = { email: "dora@example.org" };
  const headers = async () => ({
    authorization: `Bearer ${(await logIn(server, "dora")).access_token}`,
  });
  const own = (await server.identity.people.get(id))?.own_database ?? "";
  const statusWith = async (given: Record<string, string>) =>
    (await fetch(`${server.url}/api/v1/stats?db=${own}`, { headers: given })).status;
  const sessions = () => server.identity.records.count("session", `${id}.`);
  const first = await headers();
  // As far as it got: they have left, and are logged in.
  await server.identity.people.change(id, (before) => ({ ...before, active: false }));
  expect(await sessions()).toBe(1);
  await scim("PATCH", `/Users/${id}`, {
    schemas: [PATCH],
    Operations: [{ op: "replace", path: "active", value: false }],
  });
  expect(await sessions()).toBe(0);
  await scim("PUT", `/Users/${id}`, { userName: "dora@example.org", active: true });
  expect(await statusWith(first)).toBe(401);
  // Nor does anything come back where it is not said again.
  const second = await headers();
  await server.identity.people.change(id, (before) => ({ ...before, active: false }));
  await scim("PUT", `/Users/${id}`, { userName: "dora@example.org", active: true });
  expect(await sessions()).toBe(0);
  expect(await statusWith(second)).toBe(401);
});

it("makes nobody's name unusable where making somebody fails in the middle", async () => {
  const { records } = server.identity;
  const people = new People(
    {
      ...records,
      get: (kind, id) => records.get(kind, id),
      getAll: (kind, ids) => records.getAll(kind, ids),
      list: (kind, range) => records.list(kind, range),
      count: (kind, prefix) => records.count(kind, prefix),
      change: (kind, id, change) => records.change(kind, id, change),
      together: (body) =>
        records.together((all) =>
          body({
            ...all,
            put: (kind, id, value) =>
              kind === "person" ? Promise.reject(new Error("Killed.")) : all.put(kind, id, value),
          }),
        ),
    },
    server.store.tokens,
  );
  await expect(people.add({ user_name: "eva@example.org" })).rejects.toThrow("Killed.");
  expect(await provision("eva@example.org")).toMatch(/^[0-9a-f]{32}$/);
});

it("answers as directories expect it", async () => {
  const first = await scim("POST", "/Users", { userName: "carl@example.org", displayName: "Carl" });
  expect(first.status).toBe(201);
  expect(first.body.meta.location).toBe(`${server.url}/scim/v2/Users/${first.body.id}`);
  expect(await scim("POST", "/Users", { userName: "CARL@example.org" })).toMatchObject({
    status: 409,
    body: { scimType: "uniqueness", status: "409" },
  });
  const found = await scim("GET", '/Users?filter=userName eq "Carl@Example.org"');
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: first.body.id }] });
  expect((await scim("GET", '/Users?filter=userName eq "nobody"')).body.totalResults).toBe(0);
  const page = await scim("GET", "/Users?startIndex=2&count=1");
  expect(page.body).toMatchObject({ startIndex: 2, itemsPerPage: 1 });
  expect(
    (await scim("GET", "/Groups?excludedAttributes=members")).body.Resources[0].members,
  ).toBeUndefined();
  expect(await scim("GET", "/Users?filter=userName eq")).toMatchObject({
    status: 400,
    body: { scimType: "invalidFilter" },
  });
  expect((await scim("POST", "/Users", { displayName: "Nameless" })).status).toBe(400);
  expect((await scim("GET", "/ServiceProviderConfig")).body.patch).toEqual({ supported: true });
  const members = { displayName: "Ghosts", members: [{ value: "0".repeat(32) }] };
  expect((await scim("POST", "/Groups", members)).status).toBe(400);
});

it("lets in nobody but the directory, whose token opens nothing else", async () => {
  const ada = await logIn(server, "ada");
  for (const token of ["", "wrong", ada.access_token]) {
    expect([token, (await scim("GET", "/Users", undefined, token)).status]).toEqual([token, 401]);
  }
  const other = await fetch(`${server.url}/api/v1/stats?db=shop`, {
    headers: { authorization: `Bearer ${SCIM}` },
  });
  expect(other.status).toBe(401);
});

it("understands the filters and changes of the standard's own examples", () => {
  const resource = {
    userName: "bjensen@example.com",
    name: { familyName: "O'Malley" },
    emails: [
      { type: "work", value: "b@example.com" },
      { type: "home", value: "b@jensen.org" },
    ],
    active: true,
    meta: { lastModified: "2026-05-13T04:42:34Z" },
  };
  for (const [filter, isSo] of [
    ['userName eq "BJensen@example.com"', true],
    ['name.familyName co "O\'malley"', true],
    ['userName sw "J"', false],
    ["title pr", false],
    ['meta.lastModified gt "2026-05-13T04:42:33Z"', true],
    ['userType ne "Employee" and not (emails co "example.org")', true],
    ['emails[type eq "work" and value co "@example.com"]', true],
    ['emails[type eq "home" and value co "@example.com"] or active eq false', false],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "bj"', true],
  ] as const) {
    expect([filter, parseFilter(filter)(resource)]).toEqual([filter, isSo]);
  }
  for (const broken of [
    "(",
    'a eq "x',
    "a",
    "a eq",
    "not",
    "a zz 1",
    "a[",
    "x".repeat(3_000),
    "(".repeat(100),
  ]) {
    expect(() => parseFilter(broken)).toThrow(/^filter:/);
  }
  for (const [filter, asked] of [
    ['userName eq "x" and active eq true', [["username", "x"]]],
    [
      '(id eq "x") and emails[type eq "work"] and urn:a:User:externalId eq "y"',
      [["externalid", "y"]],
    ],
    ['userName eq "x" or id eq "y"', []],
    ['not userName eq "x"', []],
    ['not (userName eq "x" or id eq "y") and id eq "z"', [["id", "z"]]],
    ['userName sw "x"', []],
  ] as const) {
    const found = askedFor(filter).map(({ attribute, value }) => [attribute, value]);
    expect([filter, found]).toEqual([filter, asked]);
  }
  const after = patched(resource, {
    Operations: [
      { op: "replace", path: 'emails[type eq "work"].value', value: "new@example.com" },
      { op: "add", path: "name.givenName", value: "Barbara" },
      { op: "remove", path: 'emails[type eq "home"]' },
      { op: "Add", value: { displayName: "Babs", "name.familyName": "Jensen" } },
    ],
  });
  expect(after).toMatchObject({
    emails: [{ type: "work", value: "new@example.com" }],
    name: { givenName: "Barbara", familyName: "Jensen" },
    displayName: "Babs",
  });
  expect(resource.emails).toHaveLength(2);
});
