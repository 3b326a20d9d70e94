import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { builtPackage } from "../../support/built-package.ts";
import { DaemonFixture } from "./support/daemon-fixture.ts";

describe("the daemon", { timeout: 360_000 }, () => {
  let built: string;
  beforeAll(async () => {
    built = await builtPackage("stays");
  }, 180_000);

  it("is started by the first command, serves the next ones and stops on request", async () => {
    const fixture = new DaemonFixture(built);
    expect(await fixture.status()).toBeUndefined();
    const { pid, answered } = await fixture.warmUp();
    expect(answered).toBe(0);
    expect(JSON.parse(await fixture.print(["remember", "A second note", "--json"]))).toMatchObject({
      id: "ep:2",
    });
    expect(await fixture.print(["recall", "second note"])).toContain("A second note");
    expect(await fixture.print(["daemon"])).toContain(`Process ${pid},`);
    expect(await fixture.status()).toMatchObject({ pid, answered: 2, declined: 0, under_way: 0 });
    expect(await fixture.print(["daemon", "stop"])).toContain(`Process ${pid} stops`);
    await fixture.waitUntilGone(pid);
    expect(await fixture.status()).toBeUndefined();
    expect(existsSync(join(fixture.folder, "socket"))).toBe(false);
  });

  it("runs once even if ten commands start concurrently", { tags: ["long"] }, async () => {
    const fixture = new DaemonFixture(built);
    // Creating the database in ten processes concurrently exceeds the lock timeout on a busy
    // machine.
    await fixture.print(["remember", "The first note"], { env: { CAIRN_DAEMON: "off" } });
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => fixture.print(["remember", `Note number ${n}`])),
    );
    const { pid } = await fixture.waitUntilRunning();
    expect(daemonsOf(fixture)).toEqual([pid]);
    expect(JSON.parse(await fixture.print(["list", "episodes", "--json"])).total).toBe(11);
  });

  it("produces the same output and exit code as a standalone command", {
    tags: ["long"],
  }, async () => {
    const fixture = new DaemonFixture(built);
    await fixture.warmUp();
    const lines: { args: string[]; stdin?: string }[] = [
      { args: ["recall", "first"] },
      { args: ["recall", "first", "--json"] },
      { args: ["show", "ep:1"] },
      { args: ["show", "ep:99"] },
      { args: ["show", "ep:99", "--json"] },
      { args: ["list", "concepts"] },
      { args: ["log", "-n", "1"] },
      { args: ["databases"] },
      { args: ["remember"] },
      { args: ["remember", "--nonsense", "x"] },
      { args: ["recal", "x"] },
      { args: ["apply", "--dry-run"], stdin: 'remember "Ünïcode from a pipe"\n' },
      { args: ["apply", "--dry-run"], stdin: "nonsense\n" },
      { args: ["apply", "--dry-run", "changes.txt"] },
      { args: ["-d", "other", "recall", "x"] },
    ];
    writeFileSync(join(fixture.project, "changes.txt"), 'remember "From a file"\n');
    for (const { args, stdin = "" } of lines) {
      const env = { FORCE_COLOR: "1" };
      const [through, alone] = await Promise.all([
        fixture.run(args, { stdin, env }),
        fixture.run(args, { stdin, env: { ...env, CAIRN_DAEMON: "off" } }),
      ]);
      expect({ args, ...through }).toEqual({ args, ...alone });
    }
    const { answered, declined } = (await fixture.status()) ?? {};
    expect(answered).toBeGreaterThan(6);
    expect(declined).toBeGreaterThan(3);
  });

  it("reads delayed standard input, and only if the command reads it", {
    tags: ["long"],
  }, async () => {
    const fixture = new DaemonFixture(built);
    await fixture.warmUp();
    const child = fixture.start(["remember", "-", "--json"]);
    let printed = "";
    child.stdout?.on("data", (chunk) => {
      printed += String(chunk);
    });
    await expect.poll(async () => (await fixture.status())?.under_way).toBe(1);
    child.stdin?.end("Said late, with an ü");
    await new Promise((resolve) => child.once("close", resolve));
    const { id } = JSON.parse(printed);
    expect(await fixture.print(["show", id])).toContain("Said late, with an ü");
    expect(await fixture.status()).toMatchObject({ answered: 2, declined: 0 });
  });

  it.each([
    { what: "in an integration run", env: { CAIRN_DAEMON: "", CI: "true" } },
    { what: "for a data folder among temporary files", env: { CAIRN_DAEMON: "" } },
    { what: "where the variable says off", env: { CAIRN_DAEMON: "off" } },
  ])("is not started $what", { tags: ["long"] }, async ({ env }) => {
    const fixture = new DaemonFixture(built);
    await fixture.print(["remember", "Alone"], { env });
    expect(existsSync(fixture.folder)).toBe(false);
  });

  it("does not start if the setting is off", { tags: ["long"] }, async () => {
    const fixture = new DaemonFixture(built);
    mkdirSync(join(fixture.root, ".config", "cairn"), { recursive: true });
    const config = join(fixture.root, ".config", "cairn", "config.json");
    writeFileSync(config, JSON.stringify({ daemon: "off" }));
    const env = { CAIRN_DAEMON: "" };
    await fixture.print(["remember", "Alone"], { env });
    await expect.poll(() => daemonsOf(fixture), { timeout: 30_000 }).toEqual([]);
    await fixture.print(["remember", "Alone again"], { env });
    expect(daemonsOf(fixture)).toEqual([]);
    writeFileSync(config, JSON.stringify({ daemon: "auto" }));
    await fixture.print(["remember", "No more"], { env });
    await fixture.waitUntilRunning();
  });
});

function daemonsOf({ folder }: DaemonFixture): number[] {
  return execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("daemon.program") && line.includes(folder))
    .map((line) => Number.parseInt(line, 10));
}
