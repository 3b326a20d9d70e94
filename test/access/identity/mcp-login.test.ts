import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRedirectUri } from "../../../src/access/identity/oauth/clients.ts";
import { serveMemory } from "../../support/memory-server.ts";
import { Browser, type Page } from "./support/browser.ts";
import {
  authorize,
  logIn,
  pkce,
  post,
  startTeamServer,
  type TeamServer,
} from "./support/identity-server.ts";

let server: TeamServer;

beforeAll(async () => {
  server = await startTeamServer();
  await server.roles.grant({ kind: "everyone", name: "" }, "decide", ["shop"]);
  await server.store.open("shop").execute("remember", { content: "The shop opens at nine" });
});
afterAll(() => server.end());

const REDIRECT = "http://127.0.0.1:34567/back";

class ScriptedClient implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  asked: URL | undefined;
  page: Page | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = "";
  readonly clientMetadata = {
    client_name: "A <b>client</b>",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  state = () => "of-the-client";
  clientInformation = () => this.#client;
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client;
  }
  tokens = () => this.#tokens;
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;

  /** Returns the redirect parameters after the user's decision. */
  async answered(answer: "yes" | "no"): Promise<URLSearchParams> {
    const browser = new Browser();
    this.page = await browser.open(this.asked?.href ?? "", REDIRECT);
    const back = await browser.submit(this.page, { answer }, REDIRECT);
    return new URL(back.url).searchParams;
  }
}

describe("a client of MCP", () => {
  it("discovers the login, registers, logs in and renews", async () => {
    const url = new URL(`${server.url}/mcp?db=shop`);
    const provider = new ScriptedClient();
    const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
    const client = new Client({ name: "test", version: "0" });
    await expect(client.connect(transport as Transport)).rejects.toThrow("Unauthorized");
    expect(provider.asked?.searchParams.get("resource")).toBe(`${server.url}/mcp`);
    expect(provider.asked?.searchParams.get("scope")).toBe("read write");
    expect(provider.asked?.searchParams.get("code_challenge_method")).toBe("S256");
    server.company.logsInAs = "ada";
    const query = await provider.answered("yes");
    expect(query.get("state")).toBe("of-the-client");
    expect(query.get("iss")).toBe(server.url);
    await transport.finishAuth(query.get("code") ?? "");

    const again = new StreamableHTTPClientTransport(url, { authProvider: provider });
    await client.connect(again as Transport);
    const message = await client.callTool({
      name: "remember",
      arguments: { content: "By an agent of ada" },
    });
    expect(message.isError).toBeUndefined();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("recall");
    const changes = JSON.stringify(await server.store.open("shop").execute("changes", {}));
    expect(changes).toContain("ada@example.org");

    const before = provider.tokens()?.access_token ?? "";
    expect(await auth(provider, { serverUrl: url })).toBe("AUTHORIZED");
    expect(provider.tokens()?.access_token).not.toBe(before);
    const rest = await fetch(`${server.url}/api/v1/stats?db=shop`, {
      headers: { authorization: `Bearer ${provider.tokens()?.access_token}` },
    });
    // The token is valid for MCP only.
    expect(rest.status).toBe(401);
    await client.close();
  });

  it("gets no token if the user denies; the page escapes its name", async () => {
    const provider = new ScriptedClient();
    await auth(provider, { serverUrl: `${server.url}/mcp` });
    const query = await provider.answered("no");
    expect(query.get("error")).toBe("access_denied");
    expect(query.get("code")).toBeNull();
    const { text = "", headers } = provider.page ?? {};
    expect(text).toContain("A &#60;b&#62;client&#60;/b&#62;");
    expect(text).not.toContain("<b>client");
    expect(text).toContain("a program on this machine");
    expect(text).toContain("ada@example.org");
    expect(headers?.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  it("finds the login by well-known URLs", async () => {
    const refusal = await fetch(`${server.url}/mcp`, { method: "POST" });
    expect(refusal.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
    );
    const wrong = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer cairn_s_made-up" },
    });
    expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
    for (const path of ["", "/mcp"]) {
      const resource = await (
        await fetch(`${server.url}/.well-known/oauth-protected-resource${path}`)
      ).json();
      expect(resource).toMatchObject({
        resource: `${server.url}${path}`,
        authorization_servers: [server.url],
      });
      const output = await (
        await fetch(`${server.url}/.well-known/oauth-authorization-server${path}`)
      ).json();
      expect(output).toMatchObject({
        issuer: server.url,
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
      });
    }
  });
});

describe("the browser flow", () => {
  const asks = (further: Record<string, string>) =>
    `${server.url}/oauth/authorize?${new URLSearchParams({
      response_type: "code",
      client_id: "cairn-cli",
      redirect_uri: "http://127.0.0.1:1/callback",
      code_challenge: pkce().challenge,
      code_challenge_method: "S256",
      ...further,
    })}`;

  it("never redirects to an unregistered URI", async () => {
    for (const uri of [
      "https://evil.example/callback",
      "http://127.0.0.1:1/other",
      "http://127.0.0.1.evil.example/callback",
      "http://localhost:1/callback",
      "http://user@127.0.0.1:1/callback",
      "http://127.0.0.1:1/callback#x",
      "javascript:alert(1)",
    ]) {
      const answer = await fetch(asks({ redirect_uri: uri }), { redirect: "manual" });
      expect([uri, answer.status, answer.headers.get("location")]).toEqual([uri, 400, null]);
    }
  });

  it("requires S256 PKCE, a known resource and response type code", async () => {
    for (const [wrong, error] of [
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge: "short" }, "invalid_request"],
      [{ resource: "https://other.example/mcp" }, "invalid_target"],
      [{ response_type: "token" }, "unsupported_response_type"],
    ] as const) {
      const answer = await fetch(asks(wrong), { redirect: "manual" });
      const back = new URL(answer.headers.get("location") ?? "http://none");
      expect([wrong, back.origin, back.searchParams.get("error")]).toEqual([
        wrong,
        "http://127.0.0.1:1",
        error,
      ]);
      expect(back.searchParams.get("iss")).toBe(server.url);
    }
    const twice = await fetch(`${asks({})}&redirect_uri=https://evil.example`, {
      redirect: "manual",
    });
    expect(twice.status).toBe(400);
  });

  it("rejects consent from another site, another browser, or a forged one", async () => {
    server.company.logsInAs = "ada";
    const ada = new Browser();
    const page = await ada.open(asks({}), "http://127.0.0.1:1/");
    const consent = /name="consent" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expect(consent).not.toBe("");
    const cookie = Array.from(ada.cookiesOf(server.url), ([k, v]) => `${k}=${v}`).join("; ");
    const send = (headers: Record<string, string>, input = consent) =>
      fetch(`${server.url}/oauth/consent`, {
        method: "POST",
        redirect: "manual",
        headers,
        body: new URLSearchParams({ consent: input, answer: "yes" }),
      });
    expect((await send({ cookie, origin: "https://evil.example" })).status).toBe(403);
    expect((await send({})).status).toBe(400);
    expect((await send({ cookie }, `${consent.slice(0, -4)}AAAA`)).status).toBe(400);
    const right = await send({ cookie, origin: server.url });
    expect(new URL(right.headers.get("location") ?? "").searchParams.get("code")).toMatch(
      /^[\w-]{43}$/,
    );
  });

  it("rejects unsafe redirect URIs and unsigned client ids", async () => {
    for (const [uri, isGood] of [
      ["https://claude.ai/api/mcp/auth_callback", true],
      ["http://localhost:6274/oauth/callback", true],
      ["cursor://anysphere.cursor-mcp/oauth/callback", true],
      ["http://example.org/callback", false],
      ["javascript:alert(1)//", false],
      ["data:text/html,x", false],
      ["https://a:b@example.org/", false],
      ["https://example.org/#x", false],
      ["/callback", false],
    ] as const) {
      expect([uri, isRedirectUri(uri)]).toEqual([uri, isGood]);
      const answer = await fetch(`${server.url}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [uri] }),
      });
      expect([uri, answer.status]).toEqual([uri, isGood ? 201 : 400]);
    }
    const made = Buffer.from(JSON.stringify({ n: "x", r: ["https://evil.example/"] })).toString(
      "base64url",
    );
    const forged = await fetch(
      asks({ client_id: `dcr_${made}.${"A".repeat(43)}`, redirect_uri: "https://evil.example/" }),
      { redirect: "manual" },
    );
    expect([forged.status, forged.headers.get("location")]).toEqual([400, null]);
  });

  it("never fetches client metadata from private addresses", async () => {
    const answer = await fetch(
      asks({ client_id: "https://localhost/client.json", redirect_uri: "https://localhost/" }),
      { redirect: "manual" },
    );
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });

  it("authorizes a device once after the user enters its code", async () => {
    const begun = await post(`${server.url}/oauth/device_authorization`, {
      client_id: "cairn-cli",
    });
    const device = (await begun.json()) as Record<string, string>;
    const ask = () =>
      post(`${server.url}/oauth/token`, {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        client_id: "cairn-cli",
        device_code: device.device_code ?? "",
      });
    expect(await (await ask()).json()).toMatchObject({ error: "authorization_pending" });
    const browser = new Browser();
    server.company.logsInAs = "bruno";
    const typing = await browser.open(device.verification_uri_complete ?? "");
    const consent = await browser.submit(typing, { user_code: device.user_code ?? "" });
    expect(consent.text).toContain(device.user_code);
    expect((await browser.submit(consent, { answer: "yes" })).text).toContain(
      "The device is authorized",
    );
    const answer = await ask();
    expect(answer.status).toBe(200);
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const stats = await fetch(`${server.url}/api/v1/stats?db=shop`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(stats.status).toBe(200);
    expect((await ask()).status).toBe(400);
  });

  it("needs no consent for the server's own page", async () => {
    const { page } = await authorize(server, {
      client_id: "cairn-page",
      redirect_uri: `${server.url}/ui/`,
    });
    expect(page.status).toBe(0);
    const ada = await logIn(server, "ada", {
      client_id: "cairn-page",
      redirect_uri: `${server.url}/ui/`,
    });
    expect(ada.refresh_token).toBeUndefined();
  });
});

it("returns 404 if no identity provider is configured", async () => {
  const plain = await serveMemory({ token: "only-tokens-here" });
  for (const path of [
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/oauth/authorize",
    "/oauth/token",
  ]) {
    expect([path, (await fetch(plain.url + path)).status]).toEqual([path, 404]);
  }
  const refused = await fetch(`${plain.url}/mcp`, { method: "POST" });
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  await plain.end();
});
