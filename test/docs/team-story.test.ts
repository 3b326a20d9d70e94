// @module-tag long: simulates a week with server replacements.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, it, onTestFinished } from "vitest";
import { createOperations } from "../../src/memory/index.ts";
import { createRoutes } from "../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../src/server/rest/store-routes/registry.ts";
import { CLIENT, type Company, startCompany } from "../access/identity/support/company.ts";
import { logIn } from "../access/identity/support/identity-server.ts";
import { buildNextVersion } from "../support/next-version.ts";
import { describeOnPostgres, takePostgresDatabase } from "../support/postgres/test-database.ts";
import { Team } from "./support/team.ts";

const LIMIT = 180_000;
const SHOP = "shop";
const DOCS = "docs";
const COMPANY = "company";

/** Five users in two teams. The first of each team has the `decide` role. */
const GROUPS = {
  "shop-lead": ["ada"],
  "shop-dev": ["ada", "bruno", "emil"],
  "docs-lead": ["carla"],
  "docs-dev": ["carla", "dora"],
} as const;
const PEOPLE = ["ada", "bruno", "carla", "dora", "emil"];
/** Appears in one private text only. */
const PRIVATE = "Zanzibar";

interface Answer {
  readonly status: number;
  readonly text: string;
}

class Member {
  readonly token: string;
  readonly #team: Team;

  constructor(team: Team, token: string) {
    this.#team = team;
    this.token = token;
  }

  async ask(db: string, path: string, body?: object, method?: string): Promise<Answer> {
    const url = new URL(`${this.#team.url}/api/v1${path}`);
    url.searchParams.set("db", db);
    const answer = await fetch(url, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  }

  async told(db: string, path: string, body?: object) {
    const { status, text } = await this.ask(db, path, body);
    expect([path, status, text]).toEqual([path, 200, text]);
    return JSON.parse(text);
  }

  async recalls(db: string, query: string): Promise<string> {
    return (await this.told(db, "/query", { query })).formatted;
  }

  async connect(db: string): Promise<Client> {
    const client = new Client({ name: "agent", version: "1" });
    const url = new URL(`${this.#team.url}/mcp?db=${db}&tools=all`);
    const requestInit = { headers: { authorization: `Bearer ${this.token}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as Transport);
    onTestFinished(() => client.close());
    return client;
  }
}

function groupsOf(name: string): string[] {
  return Object.entries(GROUPS).flatMap(([group, names]) =>
    (names as readonly string[]).includes(name) ? [group] : [],
  );
}

const ACCESS = [
  ["grant", "--group", "shop-dev", "--role", "write", "--in", SHOP],
  ["grant", "--group", "shop-lead", "--role", "decide", "--in", SHOP],
  ["grant", "--group", "docs-dev", "--role", "write", "--in", DOCS],
  ["grant", "--group", "docs-lead", "--role", "decide", "--in", DOCS],
  ["grant", "--everyone", "--role", "read", "--in", COMPANY],
  ["grant", "--group", "shop-lead", "--role", "write", "--in", COMPANY],
  ["grant", "--everyone", "--role", "admin", "--in", "@own"],
];

const READS = [...createRoutes(createOperations()), ...STORE_ROUTES]
  .map(
    ({ method, ...route }) => [method, "template" in route ? route.template : route.path] as const,
  )
  .filter(([method]) => method === "GET")
  .map(([, path]) => path.replaceAll(/\{\w+\}/g, "ep:1"));

/** Collects the responses of all read routes and of recalls for the private words. */
async function collectResponses(member: Member, databases: readonly string[]): Promise<string> {
  expect(READS.length).toBeGreaterThan(30);
  const messages: string[] = [];
  for (const db of databases) {
    for (const path of READS) messages.push((await member.ask(db, path)).text);
    for (const query of ["where do we meet for the surprise?", "remarks of emil"]) {
      messages.push((await member.ask(db, "/query", { query })).text);
    }
    messages.push((await member.ask(db, "/snapshot", { scopes: ["recent:20"] })).text);
  }
  expect(messages.filter((text) => text.includes(" was not found"))).toEqual([]);
  return messages.join("\n");
}

describeOnPostgres("a week of two teams on one PostgreSQL", () => {
  it(
    "isolates teams, enforces roles, revokes leavers, and survives an upgrade",
    async () => {
      const server = takePostgresDatabase();
      onTestFinished(() => server[Symbol.dispose]());
      let company: Company | undefined;
      const team = await Team.on(server.url, (url) => ({
        CAIRN_IDENTITY_URL: url,
        CAIRN_IDENTITY_ISSUER: company?.issuer ?? "",
        CAIRN_IDENTITY_CLIENT_ID: CLIENT.clientId,
        CAIRN_IDENTITY_CLIENT_SECRET: CLIENT.clientSecret,
        CAIRN_LAYERS: COMPANY,
      }));
      company = await startCompany([`${team.url}/oauth/callback`]);
      onTestFinished(() => company?.close());
      for (const name of PEOPLE) {
        company.accounts[name] = { email: `${name}@example.org`, groups: groupsOf(name) };
      }
      await team.start();
      const operate = async (name: string, args: readonly string[]) => {
        const { code, stdout, stderr } = await team.exec(name, args);
        expect([args, code, code === 0 ? "" : stderr]).toEqual([args, 0, ""]);
        return stdout;
      };
      const who = { url: team.url, company };
      const enter = async (name: string) => new Member(team, (await logIn(who, name)).access_token);

      // Monday: the operator assigns roles to groups; the directory defines their members.
      for (const args of ACCESS) await operate("cairn-1", ["access", ...args]);
      const ofCi = ["--scope", "propose", "--databases", SHOP, "--json"];
      const created = await operate("cairn-2", ["token", "create", "ci-shop", ...ofCi]);
      for (const db of [SHOP, DOCS, COMPANY]) {
        await operate("cairn-1", ["remember", `The memory of ${db} begins`, "--db", db]);
      }
      const members = new Map<string, Member>();
      for (const name of PEOPLE) members.set(name, await enter(name));
      const of = (name: string) => {
        const member = members.get(name);
        if (member === undefined) throw new Error(`${name} has not come in.`);
        return member;
      };
      const ready = async (name: string, db: string, status: number) =>
        expect
          .poll(async () => (await of(name).ask(db, "/stats")).status, { timeout: LIMIT })
          .toBe(status);
      await ready("ada", SHOP, 200);
      await ready("dora", DOCS, 200);
      await ready("dora", SHOP, 403);
      await ready("bruno", DOCS, 403);

      // Tuesday: a user's agent records a decision over MCP, attributed to the user.
      const brunosAgent = await of("bruno").connect(SHOP);
      const decided = await brunosAgent.callTool({
        name: "remember",
        arguments: { content: "The shop is deployed on Mondays", episode_type: "decision" },
      });
      expect(decided.isError).toBeUndefined();
      expect((await of("ada").ask(SHOP, "/changes")).text).toContain("bruno@example.org");
      expect(await of("emil").recalls(SHOP, "when is the shop deployed?")).toContain("Mondays");

      // An agent restricted to `propose` gets no write tools.
      const forMcp = { scope: "propose", resource: `${team.url}/mcp` };
      const { access_token: narrow } = await logIn(who, "dora", forMcp);
      const dorasAgent = await new Member(team, narrow).connect(DOCS);
      const tools = (await dorasAgent.listTools()).tools.map(({ name }) => name);
      expect([tools.includes("propose"), tools.includes("remember")]).toEqual([true, false]);

      // A CI agent proposes a wrong statement. It cannot write, and users without a role cannot
      // decide.
      const ci = new Member(team, (JSON.parse(created) as { token: string }).token);
      const wrong = { content: "The shop is deployed on Fridays", episode_type: "decision" };
      expect((await ci.ask(SHOP, "/episodes", wrong)).status).toBe(403);
      const proposed = await ci.told(SHOP, "/proposals", wrong);
      expect((await ci.ask(SHOP, `/proposals/${proposed.id}/accept`, {})).status).toBe(403);
      expect((await of("dora").ask(SHOP, `/proposals/${proposed.id}/accept`, {})).status).toBe(403);
      expect(await of("bruno").recalls(SHOP, "when is the shop deployed?")).not.toContain(
        "Fridays",
      );
      const note = "Nobody is here on Saturdays";
      const { status } = await of("ada").told(SHOP, `/proposals/${proposed.id}/reject`, { note });
      expect(status).toBe("rejected");
      const again = await ci.told(SHOP, "/proposals", wrong);
      expect(again).toEqual({ id: proposed.id, outcome: "rejected_before" });

      // The corrected proposal replaces the previous decision.
      const right = await ci.told(SHOP, "/proposals", {
        content: "The shop is deployed on Tuesdays, no longer on Mondays",
        episode_type: "decision",
        corrects: true,
        rejects: "Mondays",
      });
      const stored = await of("ada").told(SHOP, `/proposals/${right.id}/accept`, {});
      expect(stored).toMatchObject({
        status: "accepted",
        replaced: [expect.stringMatching(/^ep:/)],
      });
      const now = await of("bruno").recalls(SHOP, "when is the shop deployed?");
      expect(now).toContain("Tuesdays");
      expect(now).not.toContain("is deployed on Mondays");
      expect((await of("ada").ask(SHOP, "/changes")).text).toContain("ada@example.org");

      expect(await of("dora").recalls(DOCS, "when is the shop deployed?")).not.toContain(
        "Tuesdays",
      );
      const share = { id: stored.episode_id, to: COMPANY };
      expect((await of("bruno").ask(SHOP, "/promote", share)).status).toBe(403);
      await of("ada").told(SHOP, "/promote", share);
      const seen = await of("dora").recalls(DOCS, "when is the shop deployed?");
      expect(seen).toContain("Tuesdays");
      expect(seen).toContain(`${COMPANY}/ep:`);
      expect(seen).not.toContain(note);

      // A private note in a personal database.
      const listed = JSON.parse(await operate("cairn-1", ["access", "people", "--json"]));
      const own = listed.people.find(
        ({ name }: { name: string }) => name === "emil@example.org",
      ).own_database;
      const remark = { content: `The surprise for Ada is in ${PRIVATE}`, asserted_by: "emil" };
      await of("emil").told(own, "/episodes", remark);
      expect(await of("emil").recalls(own, "where is the surprise?")).toContain(PRIVATE);
      const emilsAgent = await of("emil").connect(own);
      const found = await emilsAgent.callTool({ name: "recall", arguments: { query: "surprise" } });
      expect(JSON.stringify(found)).toContain(PRIVATE);
      expect(await collectResponses(of("emil"), [own])).toContain(PRIVATE);
      const others = [...["ada", "bruno", "carla", "dora"].map(of), ci];
      for (const member of others) {
        expect(await collectResponses(member, [own])).not.toContain(PRIVATE);
        expect((await member.ask(own, "/stats")).status).toBe(403);
      }
      for (const db of [SHOP, DOCS, COMPANY]) {
        expect(await collectResponses(db === DOCS ? of("carla") : of("ada"), [db])).not.toContain(
          PRIVATE,
        );
      }
      const operator = new Member(team, team.token);
      expect((await operator.ask(SHOP, "/changes")).text).not.toContain(PRIVATE);
      const metrics = await fetch(`${team.url}/metrics`, {
        headers: { authorization: `Bearer ${team.token}` },
      });
      expect(await metrics.text()).not.toContain(PRIVATE);
      expect(team.logs).toContain("/api/v1/episodes");
      expect(team.logs).not.toContain(PRIVATE);

      // Thursday: an upgrade during writes.
      team.image = await buildNextVersion([
        { name: "9998_mood", kind: "expand", sql: "alter table episodes add column mood text" },
        { name: "9999_no-mood", kind: "contract", sql: "alter table episodes drop column mood" },
      ]);
      let written = 0;
      const during = async (replacing: () => Promise<unknown>) => {
        let isOver = false;
        const writing = (async () => {
          while (!isOver) {
            const name = ["bruno", "emil"][written % 2] ?? "";
            const content = `Written in the upgrade: ${written}`;
            await of(name).told(SHOP, "/episodes", { content });
            written += 1;
          }
        })();
        await replacing();
        isOver = true;
        await writing;
      };
      expect(await operate("cairn-1", ["migrate", "--dry-run"])).toContain("9998_mood");
      await during(() => operate("cairn-1", ["migrate"]));
      await during(() => team.replace("cairn-1"));
      await during(() => team.replace("cairn-2"));
      await during(() => operate("cairn-1", ["migrate", "--finish"]));
      expect(written).toBeGreaterThan(4);
      const page = await of("ada").told(SHOP, "/episodes?limit=500");
      const contents = page.episodes.map(({ content }: { content: string }) => content);
      const all = Array.from({ length: written }, (_, n) => `Written in the upgrade: ${n}`);
      expect(all.filter((content) => !contents.includes(content))).toEqual([]);
      expect(await of("dora").recalls(DOCS, "when is the shop deployed?")).toContain("Tuesdays");
      expect((await of("dora").ask(own, "/stats")).status).toBe(403);

      // Friday: Emil leaves. Both servers reject him, and his note stays private.
      const stream = await fetch(`${team.url}/api/v1/events?db=${SHOP}`, {
        headers: { authorization: `Bearer ${of("emil").token}`, accept: "text/event-stream" },
      });
      expect(stream.status).toBe(200);
      await operate("cairn-1", ["access", "end", "--person", "emil@example.org"]);
      await stream.text();
      // Requests alternate between both servers.
      const refused = async () => [
        (await of("emil").ask(SHOP, "/stats")).status,
        (await of("emil").ask(SHOP, "/stats")).status,
      ];
      await expect.poll(refused, { timeout: LIMIT }).toEqual([401, 401]);
      expect(await collectResponses(of("ada"), [SHOP, own])).not.toContain(PRIVATE);
      expect(team.logs).not.toContain(PRIVATE);
      expect(await of("bruno").recalls(SHOP, "when is the shop deployed?")).toContain("Tuesdays");
    },
    LIMIT * 4,
  );
});
