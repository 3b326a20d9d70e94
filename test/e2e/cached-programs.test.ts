import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { builtPackage } from "../support/built-package.ts";

let command: string;
beforeAll(async () => {
  command = join(await builtPackage("cached"), "bin", "cairn.js");
}, 180_000);

class Place {
  readonly root = mkdtempSync(join(tmpdir(), "cairn-cached-"));
  readonly env = {
    PATH: process.env.PATH,
    HOME: this.root,
    CAIRN_DATA_DIR: join(this.root, "data"),
    CAIRN_DAEMON: "off",
    CAIRN_EMBEDDING_PROVIDER: "none",
  };
  readonly caches = join(this.root, ".cache", "cairn", "compiled");

  constructor() {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    return spawnSync(process.execPath, [command, ...args], {
      cwd: this.root,
      env: { ...this.env, ...env },
      encoding: "utf8",
    });
  }

  cacheOf(name: string): string {
    const found = readdirSync(this.caches).filter((file) => file.includes(`-${name}-`));
    expect(found).toHaveLength(1);
    return join(this.caches, found[0] ?? "");
  }
}

const succeeded = ({ status, stderr }: SpawnSyncReturns<string>) => ({ status, stderr });
const SUCCESS = { status: 0, stderr: "" };

describe("cached machine code", { timeout: 180_000 }, () => {
  it("is written by the first command and used by the next", () => {
    const location = new Place();
    expect(succeeded(location.run(["remember", "We deploy on Tuesdays."]))).toEqual(SUCCESS);
    const { ino } = statSync(location.cacheOf("remember"));
    expect(succeeded(location.run(["remember", "We test on Mondays."]))).toEqual(SUCCESS);
    expect(statSync(location.cacheOf("remember")).ino).toBe(ino);
    expect(location.run(["recall", "deploy"]).stdout).toContain("We deploy on Tuesdays.");
    expect(statSync(location.cacheOf("recall")).mode & 0o777).toBe(0o600);
  });

  it.each<[string, (data: Buffer) => Buffer]>([
    ["truncated", (data) => data.subarray(0, data.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["of another program", () => Buffer.from("nonsense".repeat(1_000))],
  ])("that is %s is replaced", (_what, damage) => {
    const location = new Place();
    location.run(["remember", "We deploy on Tuesdays."]);
    const cache = location.cacheOf("remember");
    const { length } = readFileSync(cache);
    writeFileSync(cache, damage(readFileSync(cache)));
    expect(succeeded(location.run(["remember", "We test on Mondays."]))).toEqual(SUCCESS);
    expect(readFileSync(cache).length).toBeGreaterThan(length / 2);
  });

  it("is optional if its folder cannot be created", () => {
    const location = new Place();
    const env = { XDG_CACHE_HOME: "/dev/null" };
    expect(succeeded(location.run(["remember", "We deploy on Tuesdays."], env))).toEqual(SUCCESS);
    expect(location.run(["recall", "deploy"], env).stdout).toContain("Tuesdays");
  });

  it("is not written by a command that fails", () => {
    const location = new Place();
    expect(location.run(["remember", "--nonsense"]).status).toBe(2);
    expect(statSync(location.caches, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("is written whole by concurrent commands", async () => {
    const location = new Place();
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [command, "recall", "deploy"], {
        cwd: location.root,
        env: location.env,
        stdio: "ignore",
      }),
    );
    const codes = await Promise.all(children.map((child) => once(child, "close")));
    expect(codes.map(([code]) => code)).toEqual([0, 0, 0]);
    location.cacheOf("recall");
  });
});
