import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { smallServer } from "./small-mcp-server.mjs";

/** The small MCP server behind OAuth 2.1 with PKCE and dynamic client registration. */
export interface GuardedServer {
  readonly url: string;
  readonly grants: readonly string[];
  /** Rejected grants; a refresh token is valid once. */
  readonly refused: readonly string[];
  /** Delays responses of `/token` until this many requests got a 401. */
  holdTokensUntil(refusedRequests: number): void;
  agrees: boolean;
  /** Expires the access tokens, and the refresh tokens too if `renewals` is false. */
  expire(options?: { readonly renewals: boolean }): void;
  close(): void;
}

export async function startGuardedServer(): Promise<GuardedServer> {
  const grants: string[] = [];
  const refused: string[] = [];
  const unauthorized = { awaited: 0, count: 0, arrived: () => {} };
  const codes = new Map<string, { challenge: string; client: string; redirect: string }>();
  const clients = new Map<string, readonly string[]>();
  let access = "";
  let refresh = "";
  const state = { agrees: true };

  const issue = () => {
    access = randomUUID();
    refresh = randomUUID();
    return { access_token: access, token_type: "Bearer", expires_in: 3600, refresh_token: refresh };
  };
  const token = (form: URLSearchParams) => {
    const grant = form.get("grant_type") ?? "";
    grants.push(grant);
    if (grant === "refresh_token") {
      return form.get("refresh_token") === refresh ? issue() : { error: "invalid_grant" };
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const isRight =
      code?.challenge === createHash("sha256").update(verifier).digest("base64url") &&
      code.client === form.get("client_id") &&
      code.redirect === form.get("redirect_uri");
    return isRight ? issue() : { error: "invalid_grant" };
  };

  const server = createServer(async (request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked = new URL(request.url ?? "/", base);
    if (asked.pathname.startsWith("/.well-known/oauth-protected-resource")) {
      json(response, { resource: `${base}/mcp`, authorization_servers: [base] });
    } else if (asked.pathname === "/.well-known/oauth-authorization-server") {
      json(response, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    } else if (asked.pathname === "/register") {
      const metadata = JSON.parse(await bodyOf(request));
      const client_id = randomUUID();
      clients.set(client_id, metadata.redirect_uris);
      json(response, { ...metadata, client_id }, 201);
    } else if (asked.pathname === "/authorize") {
      const client = asked.searchParams.get("client_id") ?? "";
      const redirect = asked.searchParams.get("redirect_uri") ?? "";
      if (clients.get(client)?.includes(redirect) !== true) {
        json(response, { error: "invalid_client" }, 400);
        return;
      }
      const back = new URL(redirect);
      back.searchParams.set("state", asked.searchParams.get("state") ?? "");
      if (state.agrees) {
        const code = randomUUID();
        const challenge = asked.searchParams.get("code_challenge") ?? "";
        codes.set(code, { challenge, client, redirect });
        back.searchParams.set("code", code);
      } else back.searchParams.set("error", "access_denied");
      response.writeHead(302, { location: back.href }).end();
    } else if (asked.pathname === "/token") {
      const answer = token(new URLSearchParams(await bodyOf(request)));
      if ("error" in answer) refused.push(grants.at(-1) ?? "");
      if (unauthorized.count < unauthorized.awaited) {
        await new Promise<void>((resolve) => (unauthorized.arrived = resolve));
      }
      json(response, answer, "error" in answer ? 400 : 200);
    } else if (access === "" || request.headers.authorization !== `Bearer ${access}`) {
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
      response.setHeader("www-authenticate", `Bearer resource_metadata="${metadata}"`);
      json(response, { error: "invalid_token" }, 401);
      unauthorized.count += 1;
      if (unauthorized.count >= unauthorized.awaited) unauthorized.arrived();
    } else {
      const transport = new StreamableHTTPServerTransport({});
      await smallServer().connect(transport as Transport);
      await transport.handleRequest(request, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    grants,
    refused,
    holdTokensUntil(awaited) {
      Object.assign(unauthorized, { awaited, count: 0 });
    },
    get agrees() {
      return state.agrees;
    },
    set agrees(agrees) {
      state.agrees = agrees;
    },
    expire: ({ renewals } = { renewals: true }) => {
      access = "";
      if (!renewals) refresh = "";
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
