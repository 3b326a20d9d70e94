import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { Browser } from "./support/browser.ts";
import {
  authorize,
  logIn,
  post,
  startTeamServer,
  type TeamServer,
} from "./support/identity-server.ts";

let server: TeamServer;

beforeAll(async () => {
  server = await startTeamServer();
  await server.roles.grant({ kind: "group", name: "dev" }, "write", ["shop"]);
  await server.roles.grant({ kind: "group", name: "leads" }, "decide", ["shop"]);
  await server.roles.grant({ kind: "everyone", name: "" }, "admin", ["@own"]);
  await server.store.open("shop").execute("remember", { content: "The shop opens at nine" });
});
beforeEach(() => {
  server.company.tamper = undefined;
  server.company.isAway = false;
  server.company.accounts.ada = { email: "ada@example.org", name: "Ada", groups: ["dev", "leads"] };
});
afterAll(() => server.end());

async function send(token: string, method: string, path: string, body?: object) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

it("logs users in with their company account and group roles", async () => {
  const ada = await logIn(server, "ada");
  const bruno = await logIn(server, "bruno");
  const written = await send(bruno.access_token, "POST", "/api/v1/episodes?db=shop", {
    content: "By bruno",
  });
  expect(written.status).toBe(200);
  const log = await send(ada.access_token, "GET", "/api/v1/changes?db=shop");
  expect(log.text).toContain("bruno@example.org");
  expect((await send(bruno.access_token, "GET", "/api/v1/stats?db=hr")).status).toBe(403);
  expect((await send(bruno.access_token, "GET", "/api/v1/stats")).status).toBe(403);
  const change = (JSON.parse(log.text) as { changes: { id: string }[] }).changes[0]?.id;
  expect((await send(bruno.access_token, "POST", "/api/v1/undo?db=shop", { change })).status).toBe(
    200,
  );
  const theirs = await send(ada.access_token, "POST", "/api/v1/episodes?db=shop", {
    content: "By ada",
  });
  expect(theirs.status).toBe(200);
  const refused = await send(bruno.access_token, "POST", "/api/v1/undo?db=shop", {
    change: JSON.parse((await send(ada.access_token, "GET", "/api/v1/changes?db=shop")).text)
      .changes[0].id,
  });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain(
    "cairn access grant --person bruno@example.org --role decide --in shop",
  );
});

it("gives each user a private database", async () => {
  const ada = await logIn(server, "ada");
  const bruno = await logIn(server, "bruno");
  const own = (await server.identity.people.withName("ada@example.org"))?.own_database ?? "";
  expect(own).toMatch(/^own-ada-example-org-[0-9a-f]{8}$/);
  const kept = await send(ada.access_token, "POST", `/api/v1/episodes?db=${own}`, {
    content: "Mine",
  });
  expect(kept.status).toBe(200);
  expect((await send(bruno.access_token, "GET", `/api/v1/episodes?db=${own}`)).status).toBe(403);
  const listed = await send(bruno.access_token, "GET", "/api/v1/databases");
  expect(listed.text).not.toContain(own);
});

it("redirects with state and issuer, and accepts a code once", async () => {
  const { code, verifier, redirect, query } = await authorize(server);
  expect(query.get("state")).toBe("of-the-client");
  expect(query.get("iss")).toBe(server.url);
  const form = {
    grant_type: "authorization_code",
    client_id: "cairn-cli",
    code,
    code_verifier: verifier,
    redirect_uri: redirect,
  };
  const first = await post(`${server.url}/oauth/token`, form);
  expect(first.status).toBe(200);
  expect(first.headers.get("cache-control")).toBe("no-store");
  const { access_token: token } = (await first.json()) as { access_token: string };
  expect((await send(token, "GET", "/api/v1/stats?db=shop")).status).toBe(200);
  const again = await post(`${server.url}/oauth/token`, form);
  expect(again.status).toBe(400);
  expect(await again.json()).toMatchObject({ error: "invalid_grant" });
  await expect
    .poll(async () => (await send(token, "GET", "/api/v1/stats?db=shop")).status, {
      timeout: 30_000,
    })
    .toBe(401);
});

it("rejects a code with another verifier, client or redirect URI and invalidates it", async () => {
  for (const wrong of [
    { code_verifier: "x".repeat(43) },
    { client_id: "cairn-page" },
    { redirect_uri: "http://127.0.0.1:45678/other" },
  ]) {
    const { code, verifier, redirect } = await authorize(server);
    const right = {
      grant_type: "authorization_code",
      client_id: "cairn-cli",
      code,
      code_verifier: verifier,
      redirect_uri: redirect,
    };
    const answer = await post(`${server.url}/oauth/token`, { ...right, ...wrong });
    expect([wrong, answer.status]).toEqual([wrong, 400]);
    expect((await post(`${server.url}/oauth/token`, right)).status).toBe(400);
  }
});

it("renews a session and ends it when a refresh token is reused", async () => {
  const ada = await logIn(server, "ada");
  const renew = (token: string) =>
    post(`${server.url}/oauth/token`, {
      grant_type: "refresh_token",
      client_id: "cairn-cli",
      refresh_token: token,
    });
  const next = (await (await renew(ada.refresh_token)).json()) as {
    refresh_token: string;
    access_token: string;
  };
  expect(next.refresh_token).not.toBe(ada.refresh_token);
  // A client that lost the response may retry immediately: the retry fails, but the session stays
  // valid.
  expect((await renew(ada.refresh_token)).status).toBe(400);
  const third = await renew(next.refresh_token);
  expect(third.status).toBe(200);
  const { refresh_token: last } = (await third.json()) as { refresh_token: string };
  const id = /_([0-9a-f.]+)_/.exec(last)?.[1] ?? "";
  await server.store.records.change("session", id, (before) => {
    const session = before as { used: { hash: string; at: string }[] };
    const used = session.used.map((it) => ({ ...it, at: "2026-01-01T00:00:00.000Z" }));
    return { ...session, used };
  });
  expect((await renew(ada.refresh_token)).status).toBe(400);
  expect((await renew(last)).status).toBe(400);
});

it("applies changed groups at the next renewal", async () => {
  const ada = await logIn(server, "ada");
  server.company.accounts.ada = { email: "ada@example.org", groups: [] };
  const renewed = await post(`${server.url}/oauth/token`, {
    grant_type: "refresh_token",
    client_id: "cairn-cli",
    refresh_token: ada.refresh_token,
  });
  const { access_token: token } = (await renewed.json()) as { access_token: string };
  await expect
    .poll(async () => (await send(token, "GET", "/api/v1/stats?db=shop")).status, {
      timeout: 30_000,
    })
    .toBe(403);
});

it("ends a session whose account no longer exists", async () => {
  server.company.accounts.gone = { email: "gone@example.org", groups: ["dev"] };
  const gone = await logIn(server, "gone");
  delete server.company.accounts.gone;
  const form = {
    grant_type: "refresh_token",
    client_id: "cairn-cli",
    refresh_token: gone.refresh_token,
  };
  expect((await post(`${server.url}/oauth/token`, form)).status).toBe(400);
  await expect
    .poll(async () => (await send(gone.access_token, "GET", "/api/v1/stats?db=shop")).status, {
      timeout: 30_000,
    })
    .toBe(401);
});

it("continues sessions while the provider is down and reports it at login", async () => {
  const ada = await logIn(server, "ada");
  server.company.isAway = true;
  expect((await send(ada.access_token, "GET", "/api/v1/stats?db=shop")).status).toBe(200);
  const renewed = await post(`${server.url}/oauth/token`, {
    grant_type: "refresh_token",
    client_id: "cairn-cli",
    refresh_token: ada.refresh_token,
  });
  expect(renewed.status).toBe(200);
});

it.each([
  ["another audience", (claims: Record<string, unknown>) => ({ ...claims, aud: "somebody-else" })],
  [
    "another issuer",
    (claims: Record<string, unknown>) => ({ ...claims, iss: "https://evil.example" }),
  ],
  ["another nonce", (claims: Record<string, unknown>) => ({ ...claims, nonce: "replayed" })],
  ["an end that is over", (claims: Record<string, unknown>) => ({ ...claims, exp: 1_000_000_000 })],
  [
    "an address that is not verified",
    (claims: Record<string, unknown>) => ({ ...claims, email_verified: false }),
  ],
])("rejects an ID token with %s", async (_what, tamper) => {
  server.company.tamper = tamper;
  await expect(authorize(server)).rejects.toThrow(/403/);
});

it("tolerates clock skew of half a minute and rotated keys", async () => {
  const late = Math.floor(Date.now() / 1000) - 30;
  server.company.tamper = (claims) => ({ ...claims, exp: late });
  expect((await logIn(server, "ada")).access_token).toContain("cairn_s_");
  server.company.tamper = undefined;
  await server.company.rotateKeys();
  expect((await logIn(server, "ada")).access_token).toContain("cairn_s_");
});

it("rejects a callback in another browser, with another state, or twice", async () => {
  server.company.logsInAs = "ada";
  const query = `response_type=code&client_id=cairn-cli&redirect_uri=http://127.0.0.1:1/callback&code_challenge=${"x".repeat(43)}&code_challenge_method=S256`;
  const callback = `${server.url}/oauth/callback`;
  const victim = new Browser();
  const ada = new Browser();
  const { url: back } = await ada.open(`${server.url}/oauth/authorize?${query}`, callback);
  expect(back).toContain("code=");
  expect((await victim.open(back)).status).toBe(400);
  const { url: other } = await ada.open(`${server.url}/oauth/authorize?${query}`, callback);
  const mixed = new URL(back);
  mixed.searchParams.set("code", new URL(other).searchParams.get("code") ?? "");
  expect((await ada.open(mixed.href)).status).toBe(403);
  const wrong = new URL(other);
  wrong.searchParams.set("state", "made-up");
  expect((await ada.open(wrong.href)).status).toBe(400);
  expect((await ada.open(other)).status).toBe(200);
  expect((await ada.open(other)).status).toBe(403);
});

it("reserves a name for its first user or token", async () => {
  await logIn(server, "ada");
  server.company.accounts.other = { email: "Ada@example.org", groups: ["leads"] };
  server.company.logsInAs = "other";
  await expect(authorize(server)).rejects.toThrow(/403[\s\S]*Another user already has this name/);
  await new PeopleTokens(server.store.tokens).create("ci@example.org", "write");
  server.company.accounts.ci = { email: "ci@example.org", groups: [] };
  server.company.logsInAs = "ci";
  await expect(authorize(server)).rejects.toThrow(/403[\s\S]*A token has the name/);
});

it("logs out", async () => {
  const ada = await logIn(server, "ada");
  const revoke = (client_id: string) =>
    post(`${server.url}/oauth/revoke`, { client_id, token: ada.refresh_token });
  expect((await revoke("cairn-page")).status).toBe(200);
  expect((await send(ada.access_token, "GET", "/api/v1/stats?db=shop")).status).toBe(200);
  expect((await revoke("cairn-cli")).status).toBe(200);
  await expect
    .poll(async () => (await send(ada.access_token, "GET", "/api/v1/stats?db=shop")).status, {
      timeout: 30_000,
    })
    .toBe(401);
});
