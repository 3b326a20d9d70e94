// @module-tag long: starts the servers of a team.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { packageRoot } from "../../src/shared/package.ts";
import { textsOf } from "../support/blocks-of-pages.ts";
import { CairnProcess, createCairnFolders } from "../support/cairn-process.ts";
import { EventFollower } from "../support/event-follower.ts";
import { postgresPrograms } from "../support/postgres/postgres-programs.ts";
import { describeOnPostgres, takePostgresDatabase } from "../support/postgres/test-database.ts";
import { type CliResult, createCliFolders, runInProcess } from "../support/run-cli.ts";
import { wordsOf } from "../support/typed-commands.ts";
import { compose, Team } from "./support/team.ts";

const LIMIT = 180_000;

const PAGE = "docs/guides/team.md";
const guide = readFileSync(join(packageRoot(), PAGE), "utf8");

function linesOf(kind: string): string[] {
  return textsOf(PAGE, kind).flatMap((text) => text.trimEnd().split("\n"));
}

function expectSuccess(command: string, { code, stderr }: CliResult): void {
  expect([command, code, stderr]).toEqual([command, 0, ""]);
}

describe("the guide for a team", () => {
  it(
    "has commands for tokens that work one after the other",
    async () => {
      const folders = createCliFolders();
      const lines = linesOf("sh");
      expect(lines.length).toBeGreaterThan(3);
      for (const line of lines) {
        const [program, ...args] = wordsOf(line);
        expect(program).toBe("cairn");
        expectSuccess(line, await runInProcess(folders, args));
      }
    },
    LIMIT,
  );

  it(
    "has a command for one server that starts",
    async () => {
      const [line = ""] = linesOf("sh server");
      const args = [...wordsOf(line).slice(1), "--port", "0"];
      const server = await CairnProcess.start({ place: createCairnFolders(), args });
      const url = await server.ready();
      expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ database: "team" });
    },
    LIMIT,
  );

  it("has a proxy with health checks without a secret", () => {
    const caddy = readFileSync(join(packageRoot(), "examples/team/Caddyfile"), "utf8");
    expect(caddy).toContain("health_uri /health/ready");
    expect(caddy).not.toContain("TOKEN");
    expect(compose().services.proxy.environment).not.toHaveProperty("CAIRN_TOKEN");
    const ignored = readFileSync(join(packageRoot(), ".dockerignore"), "utf8").split("\n");
    expect(ignored).toContain("examples/team/.env");
  });

  it("names services of the compose file only", () => {
    const services = Object.keys(compose().services);
    const named = guide.match(/(?<=compose (?:exec|up|build)(?: -+[\w-]+)* )[a-z][\w-]*/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((service) => !services.includes(service))).toEqual([]);
  });
});

describeOnPostgres("the role of the Compose file", () => {
  it("owns its database with vectors, and nothing else", { timeout: LIMIT }, async () => {
    using database = takePostgresDatabase();
    const admin = new URL(database.url);
    const script = readFileSync(join(packageRoot(), "examples/team/role.sh"), "utf8");
    const role = `team_${process.pid}`;
    execFileSync("sh", ["-c", script.replaceAll(/\bcairn\b/g, role)], {
      env: {
        PATH: `${postgresPrograms()}:${process.env.PATH}`,
        PGHOST: admin.hostname,
        PGPORT: admin.port,
        PGPASSWORD: decodeURIComponent(admin.password),
        POSTGRES_USER: decodeURIComponent(admin.username),
        CAIRN_DATABASE_PASSWORD: "it's secret",
      },
    });
    const own = new URL(admin);
    own.username = role;
    own.password = encodeURIComponent("it's secret");
    own.pathname = `/${role}`;
    const cleaner = new pg.Client(database.url);
    await cleaner.connect();
    try {
      const team = await Team.on(own.href);
      expectSuccess("remember", await team.exec("cairn-1", ["remember", "As the role"]));
      expectSuccess("migrate", await team.exec("cairn-1", ["db", "migrate"]));
      expectSuccess("doctor", await team.exec("cairn-1", ["doctor"]));
      const { rows } = await cleaner.query(
        "select rolsuper, rolcreatedb, rolcreaterole, rolreplication from pg_roles where rolname = $1",
        [role],
      );
      const not = { rolsuper: false, rolcreatedb: false, rolcreaterole: false };
      expect(rows).toEqual([{ ...not, rolreplication: false }]);
    } finally {
      await cleaner.query(`drop database if exists ${role} with (force)`);
      await cleaner.query(`drop role if exists ${role}`);
      await cleaner.end();
    }
  });
});

describeOnPostgres("migration from files to a server", () => {
  it("copies a memory there, and carries an export", { timeout: LIMIT }, async () => {
    const server = takePostgresDatabase();
    onTestFinished(() => server[Symbol.dispose]());
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "We deploy on Tuesdays"]);
    const lines = linesOf("sh over");
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const [, ...args] = wordsOf(line, { TEAM_DATABASE: server.url });
      const result = await runInProcess(folders, args);
      expect([line, result.code, result.code === 0 ? "" : result.stderr]).toEqual([line, 0, ""]);
    }
    const requests = ["recall", "when do we deploy?", "--db", "orders", "--database", server.url];
    expect((await runInProcess(folders, requests)).stdout).toContain("Tuesdays");
  });
});

describeOnPostgres("the set-up of the guide, without Docker", () => {
  it(
    "supports two users while both servers are replaced, and migrates a memory",
    async () => {
      const server = takePostgresDatabase();
      onTestFinished(() => server[Symbol.dispose]());
      const team = await Team.on(server.url);
      await team.start();
      const tokens: string[] = [];
      const followers: EventFollower[] = [];
      let written = 0;
      const write = async (n: number) => {
        const response = await fetch(`${team.url}/api/v1/episodes`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${tokens[n % 2]}`,
            "content-type": "application/json",
            "idempotency-key": `write-${n}`,
          },
          body: JSON.stringify({ content: `Episode ${n}` }),
        });
        expect([n, response.status]).toEqual([n, 200]);
        written += 1;
      };

      for (const line of linesOf("sh docker")) {
        const [, service = "", words] =
          /^docker compose (?:exec (?:-T )?(?=\S+ cairn )|run --rm )(\S+) (?:cairn )?(.*)$/.exec(
            line,
          ) ?? [];
        const replaced = /^docker compose up --detach --no-deps (\S+)$/.exec(line)?.[1];
        if (words !== undefined) {
          const result = await team.exec(service, wordsOf(words));
          expectSuccess(line, result);
          const token = /^cairn_\S+/.exec(result.stdout)?.[0];
          if (token !== undefined) tokens.push(token);
          if (words.startsWith("recall")) expect(result.stdout).toContain("Tuesdays");
        }
        if (replaced !== undefined) {
          if (followers.length === 0) {
            const headers = { authorization: `Bearer ${tokens[1]}` };
            followers.push(...[1, 2].map(() => new EventFollower(() => [team.url], headers)));
            onTestFinished(async () => {
              for (const follower of followers) await follower.leave();
            });
          }
          const load = (async () => {
            for (let n = 0; n < 15; n += 1) await write(written);
          })();
          await team.replace(replaced);
          await load;
        }
      }
      expect([tokens.length, written]).toEqual([2, 30]);

      const all = Array.from({ length: written + 1 }, (_, index) => index + 1);
      for (const follower of followers) {
        await expect.poll(() => follower.seqs.at(-1), { timeout: LIMIT }).toBe(all.length);
        expect(follower.seqs).toEqual(all);
      }
      const headers = { authorization: `Bearer ${tokens[0]}` };
      const listed = await fetch(`${team.url}/api/v1/changes?limit=100`, { headers });
      const { changes } = (await listed.json()) as { changes: { author: string }[] };
      const authors = changes.map(({ author }) => author).filter((author) => author !== "cli");
      expect([authors.length, ...new Set(authors)].sort()).toEqual([30, "ada", "bruno"].sort());
      const metrics = await fetch(`${team.url}/metrics`, { headers });
      expect(await metrics.text()).toContain('cairn_database_up{database="team"} 1');
    },
    LIMIT * 3,
  );
});
