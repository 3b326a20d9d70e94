import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:net";
import {
  Identity,
  type IdentitySettings,
  identityEndpoints,
  identitySettings,
} from "../../../../src/access/identity/index.ts";
import { Roles } from "../../../../src/access/index.ts";
import type { DatabaseBackend } from "../../../../src/database/index.ts";
import { silentLogger } from "../../../../src/shared/logger.ts";
import {
  type MemoryServer,
  type MemoryServerSetup,
  openMemoryStore,
  serveMemory,
  temporaryFolder,
} from "../../../support/memory-server.ts";
import { Browser } from "./browser.ts";
import { CLIENT, type Company, startCompany } from "./company.ts";

export interface TeamServer extends MemoryServer {
  readonly company: Company;
  readonly identity: Identity;
  readonly roles: Roles;
}

export interface TeamSetup {
  readonly settings?: Partial<IdentitySettings>;
  readonly accessMs?: number;
  readonly company?: Company;
  readonly place?: DatabaseBackend;
  readonly dataDir?: string;
  readonly port?: number;
  readonly quotas?: NonNullable<MemoryServerSetup["quotas"]>;
  readonly clock?: NonNullable<MemoryServerSetup["clock"]>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function startTeamServer(setup: TeamSetup = {}): Promise<TeamServer> {
  const port = setup.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const company = setup.company ?? (await startCompany([`${url}/oauth/callback`]));
  const settings = identitySettings.parse({
    url,
    issuer: company.issuer,
    ...CLIENT,
    ...setup.settings,
  });
  const dataDir = setup.dataDir ?? temporaryFolder();
  const store = openMemoryStore(setup.place ?? dataDir);
  const place = identityEndpoints(settings);
  if (place === undefined) throw new Error("There is no login.");
  const identity = new Identity(place, {
    settings,
    records: store.records,
    tokens: store.tokens,
    logger: silentLogger,
    accessMs: setup.accessMs,
  });
  const server = await serveMemory({
    ...{ port, dataDir, identity, store },
    ...(setup.quotas !== undefined && { quotas: setup.quotas }),
    ...(setup.clock !== undefined && { clock: setup.clock }),
  });
  return {
    ...server,
    company,
    identity,
    roles: new Roles(store.records),
    async end() {
      await server.end();
      if (setup.company === undefined) await company.close();
    },
  };
}

export function pkce() {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return { verifier, challenge };
}

export function post(url: string, fields: Record<string, string>) {
  return fetch(url, { method: "POST", body: new URLSearchParams(fields) });
}

export interface LoginList {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Logs in like the CLI; the user consents. */
export async function logIn(
  server: Pick<TeamServer, "url" | "company">,
  who = "ada",
  further: Record<string, string> = {},
): Promise<LoginList> {
  server.company.logsInAs = who;
  const { code, verifier, redirect } = await authorize(server, further);
  const answer = await post(`${server.url}/oauth/token`, {
    grant_type: "authorization_code",
    client_id: further.client_id ?? "cairn-cli",
    code,
    code_verifier: verifier,
    redirect_uri: redirect,
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as LoginList;
}

export async function authorize(
  { url }: Pick<TeamServer, "url">,
  further: Record<string, string> = {},
) {
  const { verifier, challenge } = pkce();
  const redirect = further.redirect_uri ?? "http://127.0.0.1:45678/callback";
  const browser = new Browser();
  const page = await browser.open(
    `${url}/oauth/authorize?${new URLSearchParams({
      response_type: "code",
      client_id: "cairn-cli",
      redirect_uri: redirect,
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "of-the-client",
      scope: "admin",
      ...further,
    })}`,
    redirect,
  );
  if (page.status !== 0 && !page.text.includes("<form"))
    throw new Error(`${page.status} ${page.text.replace(/<style.*<.style>/s, "")}`);
  const back = page.status === 0 ? page : await browser.submit(page, { answer: "yes" }, redirect);
  if (back.status !== 0) throw new Error(`${back.status} ${back.text}`);
  const query = new URL(back.url).searchParams;
  return { code: query.get("code") ?? "", verifier, redirect, query, page, browser };
}
