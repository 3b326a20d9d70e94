import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Connection from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const EXAMPLE = resolve("examples/first-memory.changeset");

async function ok(folders: CliFolders, ...args: string[]): Promise<string> {
  const result = await runInProcess(folders, args);
  expect(result, args.join(" ")).toMatchObject({ code: 0 });
  return result.stdout;
}

async function json(cliFolders: CliFolders, ...args: string[]) {
  return JSON.parse(await ok(cliFolders, ...args, "--json"));
}

async function createFilledMemory(): Promise<CliFolders> {
  const folders = createCliFolders();
  await ok(folders, "apply", EXAMPLE);
  return folders;
}

describe("every command", () => {
  it("prints a memory as text and JSON", async () => {
    const folders = await createFilledMemory();
    const { concepts } = await json(folders, "list", "concepts");
    const reads = [
      ["recall", "charged twice"],
      ["snapshot", "bootstrap", "recent:2", "pending", "conflicts", "labels", "stats", "events"],
      ["list", "conflicts"],
      ["list", "items", "--since", "2020-01-01"],
      ["stats"],
      ["list", "types"],
      ["list", "entities", "--entity-type", "person"],
      ["show", "person:Ada"],
      ["list", "episodes", "--limit", "2", "--page", "2"],
      ["show", "ep:6"],
      ["list", "concepts"],
      ["show", concepts[0].id],
      ["list", "deleted"],
      ["list", "labels"],
      ["list", "episodes", "--entity", "person:ada"],
      ["list", "concepts", "--entity", "function:charge"],
      ["list", "facts"],
      ["list", "topics"],
      ["list", "databases"],
      ["doctor"],
      ["config"],
    ];
    for (const args of reads) {
      const text = await ok(folders, ...args);
      expect(text, args.join(" ")).toMatch(/\S.*\n$/s);
      expect(text, args.join(" ")).not.toContain("[object Object]");
      expect(text, args.join(" ")).not.toContain("undefined");
      await json(folders, ...args);
    }
  }, 180_000);

  it("corrects memory", async () => {
    const folders = await createFilledMemory();
    const made = await json(
      folders,
      "remember",
      "Jobs run on Kafka",
      "--episode-type",
      "fact",
      "--entities",
      "project:orders,tool:redis",
    );
    expect(made.collisions.map(({ id }: { id: string }) => id)).toContain("fact:2");
    const { id: concept } = await json(
      folders,
      "concept",
      "create",
      "Queues move",
      "--from",
      "ep:1,ep:2",
    );
    const { concepts } = await json(folders, "list", "concepts");
    const other = concepts.find(({ title }: { title: string }) => title.startsWith("Tests")).id;
    const writes = [
      ["supersede", "fact:2", made.fact_id],
      ["conflict", "fact:5", made.fact_id, "--severity", "low"],
      ["dismiss", "conflict:2", "--note", "no"],
      ["resolve", "conflict:1", "fact:4", "--note", "measured"],
      ["episode", "update", "ep:6", "--priority", "p1", "--labels", "a=b,c=d"],
      ["concept", "update", concept, "--confidence", "0.25"],
      ["concept", "link", concept, other, "related_to"],
      ["concept", "evidence", concept, "ep:9", "supporting", "--strength", "0.5"],
      ["concept", "unlink", concept, "ep:9"],
      ["concept", "reshape", concept, "hypothesis"],
      ["concept", "split", concept, "--into", "Reads, Writes"],
      ["concept", "merge", other, "--from", concept],
      ["delete", "ep:10"],
      ["restore", "ep:10"],
      ["label", "ep:10", "who", "ada"],
      ["unlabel", "ep:10", "who"],
      ["entity", "relate", "tool:a", "tool:b", "uses"],
      ["processed", "ep:10", "ep:11"],
      ["topic", "create", "Deploys", "--description", "How we ship"],
      ["topic", "update", "deploys", "How we ship now"],
      ["topic", "set", "ep:10", "deploys"],
      ["topic", "set", "ep:10", ""],
      ["topic", "delete", "deploys"],
    ];
    for (const args of writes) expect(await ok(folders, ...args), args.join(" ")).toMatch(/\S/);
    expect((await json(folders, "doctor")).findings).toEqual([]);
  });

  it("reports a missing database without creating it", async () => {
    const folders = createCliFolders();
    for (const args of [["doctor"], ["export"], ["reindex"]]) {
      const result = await runInProcess(folders, args);
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toContain('There is no database "default" yet');
    }
    expect(await ok(folders, "databases")).toMatch(/^No database in /);
    expect(await json(folders, "databases")).toEqual({ in_use: "default", databases: [] });
  });

  it("reads text from standard input without the trailing newline", async () => {
    const folders = createCliFolders();
    const stdin = "It is late.\n\nVery late.\n";
    expect((await runInProcess(folders, ["remember", "-"], { stdin })).code).toBe(0);
    expect((await json(folders, "show", "ep:1")).episode.content).toBe("It is late.\n\nVery late.");
    const changeset = 'remember "one"\nremember "two"\n';
    expect((await runInProcess(folders, ["apply", "-"], { stdin: changeset })).code).toBe(0);
    expect((await runInProcess(folders, ["apply"], { stdin: changeset })).code).toBe(0);
    expect((await json(folders, "stats")).episodes.total).toBe(5);
  });

  it("reads the session from the environment", async () => {
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "x"], { env: { CAIRN_SESSION: "s1" } });
    await runInProcess(folders, ["apply", "-"], {
      stdin: 'remember "y"',
      env: { CAIRN_SESSION: "s1" },
    });
    const { episodes } = await json(folders, "episodes");
    expect(episodes.map(({ session }: { session: string }) => session)).toEqual(["s1", "s1"]);
  });
});

describe("invalid input", () => {
  const usage = async (...args: string[]) => {
    const folders = createCliFolders();
    const plain = await runInProcess(folders, args);
    expect(plain, args.join(" ")).toMatchObject({ code: 2, stdout: "" });
    expect(plain.stderr).toMatch(/^cairn: error: /);
    const asJson = await runInProcess(folders, [...args, "--json"]);
    expect(asJson, args.join(" ")).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(asJson.stdout)).toMatchObject({ error: { code: "invalid_input" } });
    return plain.stderr;
  };

  it("suggests the intended command, option or field", async () => {
    expect(await usage("remmeber")).toContain('Did you mean "remember"?');
    expect(await usage("recall", "x", "--expain")).toContain("--explain");
    expect(await usage("remember")).toContain("missing required argument 'content'");
    expect(await usage("remember", "x", "--episode-type", "fakt")).toContain("fact");
    expect(await usage("remember", "x", "--entities", "ada")).toContain("type:name");
    expect(await usage("completion", "tcsh")).toContain("bash");
  });

  it("parses numbers strictly", async () => {
    for (const number of ["5.0", "0x5", " 5 ", "five", "-1", ""]) {
      expect(await usage("recall", "x", "--k", number)).toContain("k");
      expect(await usage("events", "--since", number)).toContain("since");
    }
  });

  it("rejects invalid database names without touching files", async () => {
    for (const name of ["../x", "a/b", "", ".x", "x".repeat(65)]) {
      expect(await usage("stats", "--db", name)).toMatch(/db/);
    }
  });

  it("reports every changeset error with its line and applies nothing", async () => {
    const folders = createCliFolders();
    const stdin = 'remember "fine"\nfrob x=1\nlabel id=ep:99 key=a value=b\nremember t=fakt "x"\n';
    const result = await runInProcess(folders, ["apply"], { stdin });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("nothing was applied: 3 errors.");
    for (const line of ["line 2:", "line 3:", "line 4:"]) expect(result.stderr).toContain(line);
    expect(await ok(folders, "databases")).toMatch(/^No database/);
    const asJson = JSON.parse((await runInProcess(folders, ["apply", "--json"], { stdin })).stdout);
    expect(asJson.error).toMatchObject({ code: "changeset_failed", details: { success: false } });
  });

  it("exits with 1 for missing items and conflicts", async () => {
    const folders = await createFilledMemory();
    for (const args of [
      ["show", "ep:999"],
      ["supersede", "fact:1", "fact:2"],
      ["restore", "ep:1"],
      ["stats", "--db", "nowhere"],
      ["export", EXAMPLE],
    ]) {
      expect((await runInProcess(folders, args)).code, args.join(" ")).toBe(1);
    }
    expect((await runInProcess(folders, ["apply", "nofile.txt"])).code).toBe(2);
    expect((await runInProcess(folders, ["import", "nofile.txt", "--db", "new"])).code).toBe(2);
  });
});

it("an export without damaged rows lists them and fails", async () => {
  const folders = await createFilledMemory();
  const connection = new Connection(join(folders.dataDir, "default.db"));
  connection.exec("update episodes set metadata = '{' where id = 2");
  connection.close();
  const toScreen = await runInProcess(folders, ["export"]);
  expect(toScreen).toMatchObject({ code: 1, stderr: expect.stringContaining("episodes 2") });
  expect(toScreen.stdout).toContain('"complete":false');
  const file = join(folders.project, "rescued.jsonl");
  const toFile = await runInProcess(folders, ["export", file, "--json"]);
  expect(toFile.code).toBe(1);
  expect(JSON.parse(toFile.stdout)).toMatchObject({ file, left_out: ["episodes 2"] });
});

describe("a dry run", () => {
  it("reports the result without writing anything", async () => {
    const folders = createCliFolders();
    const stdin = 'remember as=a "one"\nlabel id=$a key=x value=y\n';
    const first = await runInProcess(folders, ["apply", "--dry-run"], { stdin });
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain("2 ops would be applied. Nothing was written.");
    expect(await ok(folders, "databases")).toMatch(/^No database/);
    await ok(folders, "remember", "kept");
    await runInProcess(folders, ["apply", "--dry-run"], { stdin });
    await ok(folders, "remember", "kept too");
    const { episodes } = await json(folders, "episodes");
    expect(episodes.map(({ id }: { id: string }) => id)).toEqual(["ep:2", "ep:1"]);
    expect((await json(folders, "stats")).last_seq).toBe(2);
  });
});

describe("on a terminal", () => {
  it("is colored, except with NO_COLOR or JSON", async () => {
    const folders = await createFilledMemory();
    const colour = /\u001b\[/;
    const terminal = { isTTY: true, columns: 60 };
    const result = await runInProcess(folders, ["recall", "charged twice"], terminal);
    expect(result.stdout).toMatch(colour);
    expect(result.stdout).toContain("score");
    const quiet = { ...terminal, env: { NO_COLOR: "1" } };
    expect((await runInProcess(folders, ["recall", "charged twice"], quiet)).stdout).not.toMatch(
      colour,
    );
    expect((await runInProcess(folders, ["stats", "--json"], terminal)).stdout).not.toMatch(colour);
    expect(await ok(folders, "stats")).not.toMatch(colour);
  });

  it("wraps to the terminal width", async () => {
    const folders = await createFilledMemory();
    const terminal = { isTTY: true, columns: 50, env: { NO_COLOR: "1" } };
    for (const args of [
      ["list", "episodes"],
      ["list", "conflicts"],
      ["events"],
      ["list", "concepts"],
    ]) {
      const { stdout } = await runInProcess(folders, args, terminal);
      const widest = Math.max(...stdout.split("\n").map((text) => text.length));
      expect(widest, args.join(" ")).toBeLessThanOrEqual(70);
    }
  });
});

describe("init", () => {
  it("creates the project's database once", async () => {
    const folders = createCliFolders();
    const file = join(folders.project, ".cairn", "config.json");
    expect(await ok(folders, "init", "shop")).toContain('the database "shop"');
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ db: "shop" });
    expect((await runInProcess(folders, ["init", "other"])).code).toBe(1);
    writeFileSync(file, '{ "db": "shop", "episodeTypes": ["risk"] }');
    await ok(folders, "init", "other", "--force");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ db: "other", episodeTypes: ["risk"] });
    await ok(folders, "remember", "x", "--episode-type", "risk");
    expect((await json(folders, "databases")).databases).toMatchObject([{ name: "other" }]);
  });

  it("uses the folder's name without prompting in a script", async () => {
    const folders = createCliFolders();
    expect(await json(folders, "init")).toMatchObject({ db: "project" });
    expect((await runInProcess(folders, ["init", "a/b", "--force"])).code).toBe(2);
  });
});

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("for %s completes commands and options", async (shell) => {
    const script = await ok(createCliFolders(), "completion", shell);
    for (const word of ["remember", "doctor", "asserted", "dry-run"])
      expect(script).toContain(word);
  });
});
