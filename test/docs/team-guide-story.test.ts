import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, it, onTestFinished } from "vitest";
import { openPlace } from "../../src/database/index.ts";
import { type Migration, Migrations } from "../../src/database/postgres/migrations.ts";
import { createOperations } from "../../src/memory/index.ts";
import { routesOf } from "../../src/rest/index.ts";
import { type Account, type Company, startCompany } from "../identity/support/company.ts";
import { logIn, type TeamServer, teamServer } from "../identity/support/identity-server.ts";
import { textOf } from "../mcp/mcp-client.ts";
import { patiently } from "../support/patiently.ts";
import { describeOnPostgres, postgresPlace } from "../support/postgres/postgres-place.ts";
import { RoundRobinProxy } from "../support/round-robin-proxy.ts";

const LIMIT = patiently(180_000);
const SCIM = "a-token-of-the-directory";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
/** A word that nobody but Emil writes. */
const PRIVATE = "zephyranthes";

/** What the next version of cairn brings along. */
const NEXT: Migration = {
  name: "mood",
  kind: "expand",
  sql: () => "alter table episodes add column mood text",
};

const PEOPLE: Readonly<Record<string, Account & { readonly team: string }>> = {
  ada: { email: "ada@example.org", groups: ["payments", "leads"], team: "pay" },
  bruno: { email: "bruno@example.org", groups: ["payments"], team: "pay" },
  clara: { email: "clara@example.org", groups: ["payments"], team: "pay" },
  dora: { email: "dora@example.org", groups: ["website", "leads"], team: "web" },
  emil: { email: "emil@example.org", groups: ["website"], team: "web" },
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Two servers on one PostgreSQL behind one address, and a company with its accounts and its directory. */
class TwoTeams {
  readonly proxy: RoundRobinProxy;
  readonly company: Company;
  readonly #database: string;
  readonly #servers: TeamServer[] = [];
  readonly #tokens = new Map<string, string>();

  private constructor(database: string, proxy: RoundRobinProxy, company: Company) {
    this.#database = database;
    this.proxy = proxy;
    this.company = company;
  }

  static async start(): Promise<TwoTeams> {
    const server = postgresPlace();
    onTestFinished(() => server[Symbol.dispose]());
    const proxy = await RoundRobinProxy.start([]);
    const company = await startCompany([`${proxy.url}/oauth/callback`]);
    onTestFinished(() => company.close());
    Object.assign(company.accounts, PEOPLE);
    const teams = new TwoTeams(server.url, proxy, company);
    await teams.#start(0);
    await teams.#start(1);
    onTestFinished(async () => {
      for (const one of teams.#servers) await one.end();
    });
    return teams;
  }

  get servers(): readonly TeamServer[] {
    return this.#servers;
  }

  get #first(): TeamServer {
    const [first] = this.#servers;
    if (first === undefined) throw new Error("No server runs.");
    return first;
  }

  get roles() {
    return this.#first.roles;
  }

  async #start(index: number, ...further: readonly Migration[]): Promise<void> {
    const place = this.#place(...further);
    const settings = { url: this.proxy.url, scimToken: SCIM, leaving: "bin" as const };
    this.#servers[index] = await teamServer({ company: this.company, place, settings });
    this.proxy.servers.splice(0, 2, ...this.#servers.map(({ url }) => url));
  }

  #place(...further: readonly Migration[]) {
    const migrations = new Migrations([...Migrations.released().all, ...further]);
    return openPlace({ folder: "", address: this.#database, isName: () => true, migrations });
  }

  /** `cairn migrate` of the next version, and one server after the other is replaced by it. */
  async upgrade(meanwhile: () => Promise<void>): Promise<void> {
    const place = this.#place(NEXT);
    const done = await place.migrate({ dryRun: false, finish: false });
    await place.close();
    expect(done.map(({ scripts }) => scripts)).toEqual(done.map(() => [NEXT.name]));
    for (const index of [0, 1]) {
      const load = meanwhile();
      const before = this.#servers[index];
      this.proxy.servers.splice(0, 2, this.#servers[1 - index]?.url ?? "");
      await before?.end();
      await this.#start(index, NEXT);
      await load;
    }
  }

  async scim(method: string, path: string, body: object): Promise<string> {
    const answer = await fetch(`${this.proxy.url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${SCIM}`, "content-type": "application/scim+json" },
      body: JSON.stringify(body),
    });
    const told = (await answer.json()) as { id: string };
    expect([path, answer.ok, told.id]).toEqual([path, true, expect.any(String)]);
    return told.id;
  }

  /** In a browser, with the account of the company. */
  async logIn(who: string): Promise<void> {
    const { access_token: token } = await logIn(
      { url: this.proxy.url, company: this.company },
      who,
    );
    this.#tokens.set(who, token);
  }

  /** An agent that the person let in, and that may propose and no more. */
  async agentOf(who: string, db: string): Promise<Client> {
    const further = { scope: "propose", resource: `${this.proxy.url}/mcp` };
    const { url } = this.proxy;
    const { access_token: token } = await logIn({ url, company: this.company }, who, further);
    const client = new Client({ name: `agent of ${who}`, version: "1" });
    // A session is one server's: the agent keeps to the one that it began with.
    const at = this.#first.url;
    const transport = new StreamableHTTPClientTransport(new URL(`${at}/mcp?db=${db}`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    await client.connect(transport as Transport);
    onTestFinished(() => client.close());
    return client;
  }

  ask(who: string, path: string, body?: object, at = this.proxy.url): Promise<Answer> {
    return this.send(who, body === undefined ? "GET" : "POST", path, { body, at });
  }

  async send(
    who: string,
    method: string,
    path: string,
    { body, at = this.proxy.url }: { body?: object | undefined; at?: string } = {},
  ): Promise<Answer> {
    const response = await fetch(`${at}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#tokens.get(who)}`,
        "content-type": "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }
}

/** The same as `ask`, which has to be answered with 200. */
async function told<Told = Record<string, unknown>>(
  teams: TwoTeams,
  who: string,
  path: string,
  body?: object,
): Promise<Told> {
  const { status, text } = await teams.ask(who, `/api/v1${path}`, body);
  if (status !== 200) throw new Error(`${who} ${path}: ${status} ${text}`);
  return JSON.parse(text) as Told;
}

async function proposed(agent: Client, content: string): Promise<string> {
  const answer = await agent.callTool({
    name: "propose",
    arguments: { content, episode_type: "decision" },
  });
  return textOf(answer);
}

async function joinTheCompany(teams: TwoTeams): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const [who, { email }] of Object.entries(PEOPLE)) {
    const made = { userName: email, externalId: who, active: true };
    ids.set(who, await teams.scim("POST", "/Users", made));
  }
  await teams.roles.grant({ kind: "group", name: "payments" }, "write", ["pay"]);
  await teams.roles.grant({ kind: "group", name: "website" }, "write", ["web"]);
  await teams.roles.grant({ kind: "everyone", name: "" }, "read", ["company"]);
  await teams.roles.grant({ kind: "everyone", name: "" }, "admin", ["@own"]);
  await teams.roles.grant({ kind: "person", name: "ada@example.org" }, "decide", ["pay"]);
  await teams.roles.grant({ kind: "person", name: "dora@example.org" }, "decide", ["web"]);
  await teams.roles.grant({ kind: "person", name: "dora@example.org" }, "write", ["company"]);
  for (const { store } of teams.servers.slice(0, 1)) {
    for (const name of ["pay", "web", "company"]) await store.create(name);
  }
  for (const who of Object.keys(PEOPLE)) await teams.logIn(who);
  return ids;
}

/** An agent's wrong decision is refused, and it is not asked about again. */
async function refuseAWrongDecision(teams: TwoTeams, agent: Client): Promise<void> {
  expect(await proposed(agent, "We keep card numbers for a year")).toContain("new");
  const list = await told<{ proposals: { id: string; content: string }[] }>(
    teams,
    "ada",
    "/proposals?db=pay",
  );
  expect(list.proposals.map(({ content }) => content)).toEqual(["We keep card numbers for a year"]);
  const id = list.proposals[0]?.id ?? "";
  await told(teams, "ada", `/proposals/${id}/reject?db=pay`, { note: "Never: PCI forbids it" });
  expect(await proposed(agent, "We keep card numbers for a year")).toContain("rejected_before");
  const found = await teams.ask("clara", "/api/v1/query?db=pay", { query: "card numbers" });
  expect([found.status, found.text.includes("for a year")]).toEqual([200, false]);
}

/** What an agent proposed is kept in other words, in one change. */
async function amendADecision(teams: TwoTeams, agent: Client): Promise<void> {
  expect(await proposed(agent, "We release on Friday evenings")).toContain("new");
  const list = await told<{ proposals: { id: string }[] }>(teams, "ada", "/proposals?db=pay");
  const id = list.proposals[0]?.id ?? "";
  const changeset = JSON.stringify([
    { op: "reject", proposal_id: id, note: "Amended: nobody is there on Friday evenings" },
    {
      op: "remember",
      content: "We release on Tuesday mornings, since somebody is there to look",
      episode_type: "decision",
    },
  ]);
  await told(teams, "ada", "/apply?db=pay", { changeset });
  const found = await teams.ask("bruno", "/api/v1/query?db=pay", { query: "when do we release?" });
  expect(found.text).toContain("Tuesday mornings");
  expect(found.text).not.toContain("Friday evenings");
}

/** Every route that reads, asked by everybody else in every database, at both servers. */
async function nobodyElseReads(teams: TwoTeams, own: string): Promise<number> {
  const reading = routesOf(createOperations()).filter(({ operation }) => operation.kind === "read");
  const paths = [
    ...reading.map(({ method, template }) => ({ method, path: `/api/v1${template}` })),
    ...["/databases", "/export", "/events", "/bin", "/tokens"].map((path) => ({
      method: "GET",
      path: `/api/v1${path}`,
    })),
    { method: "GET", path: "/metrics" },
    { method: "GET", path: "/health" },
  ];
  let asked = 0;
  const leaks: unknown[] = [];
  for (const who of Object.keys(PEOPLE).filter((name) => name !== "emil")) {
    for (const { method, path } of paths) {
      const at = path.replaceAll(/\{\w+\}/g, "ep:1");
      const body = method === "POST" ? { query: PRIVATE.slice(0, 6) } : undefined;
      for (const db of ["pay", "web", "company", own]) {
        const { url } = teams.servers[asked % 2] ?? { url: "" };
        const { status, text } = await teams.send(who, method, `${at}?db=${db}`, { body, at: url });
        asked += 1;
        if (text.includes(PRIVATE)) leaks.push([who, method, at, db]);
        // Neither is it told whether anything is there.
        if (
          db === own &&
          status === 200 &&
          path.startsWith("/api") &&
          path !== "/api/v1/databases"
        ) {
          leaks.push([who, method, at, db, status]);
        }
      }
    }
  }
  for (const { logged } of teams.servers) if (logged.join().includes(PRIVATE)) leaks.push("log");
  expect(leaks).toEqual([]);
  return asked;
}

describeOnPostgres("the story of two teams", () => {
  it(
    "keeps what they decide, forgets who leaves and shows nobody what is private, through an upgrade",
    async () => {
      const teams = await TwoTeams.start();
      const ids = await joinTheCompany(teams);
      const brunosAgent = await teams.agentOf("bruno", "pay");
      const clarasAgent = await teams.agentOf("clara", "pay");
      const tools = (await brunosAgent.listTools()).tools.map(({ name }) => name);
      expect([tools.includes("propose"), tools.includes("remember")]).toEqual([true, false]);

      await told(teams, "bruno", "/episodes?db=pay", { content: "The ledger runs in Frankfurt" });
      await told(teams, "dora", "/episodes?db=company", { content: "We are shut in August" });
      expect((await teams.ask("bruno", "/api/v1/stats?db=web")).status).toBe(403);
      expect((await teams.ask("emil", "/api/v1/stats?db=pay")).status).toBe(403);
      const shared = await teams.ask("emil", "/api/v1/query?db=company", { query: "August" });
      expect(shared.text).toContain("We are shut in August");

      await refuseAWrongDecision(teams, brunosAgent);
      await amendADecision(teams, clarasAgent);

      const person = await teams.servers[0]?.identity.people.withName("emil@example.org");
      const own = person?.own_database ?? "";
      const remark = `I look for another post: ${PRIVATE}`;
      await told(teams, "emil", `/episodes?db=${own}`, { content: remark });
      expect((await teams.ask("emil", `/api/v1/episodes?db=${own}`)).text).toContain(PRIVATE);
      expect(await nobodyElseReads(teams, own)).toBeGreaterThan(400);

      let written = 0;
      await teams.upgrade(async () => {
        for (let n = 0; n < 8; n += 1) {
          const content = `Noted while servers were replaced, ${written}`;
          await told(teams, "clara", "/episodes?db=pay", { content });
          written += 1;
        }
      });
      const kept = await told<{ episodes: { content: string }[] }>(
        teams,
        "ada",
        "/episodes?db=pay&limit=100",
      );
      const noted = kept.episodes.filter(({ content }) => content.startsWith("Noted while"));
      expect([written, noted.length, teams.proxy.broken]).toEqual([16, 16, 0]);
      expect((await teams.ask("emil", `/api/v1/episodes?db=${own}`)).text).toContain(PRIVATE);
      await nobodyElseReads(teams, own);

      await leave(teams, ids.get("bruno") ?? "");
      const history = await teams.ask("ada", "/api/v1/changes?db=pay&author=bruno@example.org");
      expect(history.text).toContain("bruno@example.org");
      const after = await teams.ask("clara", "/api/v1/query?db=pay", { query: "ledger" });
      expect(after.text).toContain("The ledger runs in Frankfurt");
    },
    LIMIT,
  );
});

/** Within a minute nothing of him opens anything, at either server. */
async function leave(teams: TwoTeams, id: string): Promise<void> {
  const agent = await teams.agentOf("bruno", "pay");
  expect((await agent.listTools()).tools.length).toBeGreaterThan(0);
  for (const { url } of teams.servers) {
    expect((await teams.ask("bruno", "/api/v1/stats?db=pay", undefined, url)).status).toBe(200);
  }
  const began = performance.now();
  await teams.scim("PATCH", `/Users/${id}`, {
    schemas: [PATCH],
    Operations: [{ op: "Replace", path: "active", value: "False" }],
  });
  for (const { url } of teams.servers) {
    await expect
      .poll(async () => (await teams.ask("bruno", "/api/v1/stats?db=pay", undefined, url)).status, {
        timeout: patiently(30_000),
      })
      .toBe(401);
  }
  await expect(agent.listTools()).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(60_000);
  await expect(teams.logIn("bruno")).rejects.toThrow(/has left/);
}
