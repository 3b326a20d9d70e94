import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { databaseNameFor, loadConfig, trustProject } from "../../src/config/index.ts";
import { isDatabaseName } from "../../src/memory/index.ts";
import { configPlace } from "./config-place.ts";

function place() {
  const made = configPlace();
  const root = join(made.home, "shop");
  const sub = join(root, "src", "deep");
  mkdirSync(sub, { recursive: true });
  const database = (cwd: string, more: { forAgent?: boolean; db?: string } = {}) =>
    loadConfig({
      env: made.env,
      cwd,
      flags: { db: more.db },
      ...(more.forAgent === true && { forAgent: true }),
    }).database;
  const config = (folder: string, content: object) => {
    mkdirSync(join(folder, ".cairn"), { recursive: true });
    writeFileSync(join(folder, ".cairn", "config.json"), JSON.stringify(content));
  };
  return { ...made, root, sub, database, config };
}

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

it("is the user's own outside of any project", () => {
  const { sub, database } = place();
  expect(database(sub)).toEqual({ name: "default", by: "default", source: "" });
});

it("is that of the nearest config upwards that names one", () => {
  const { home, root, sub, database, config } = place();
  config(root, { db: "shop" });
  config(join(root, "src"), { episodeTypes: ["risk"] });
  expect(database(sub)).toMatchObject({ name: "shop", by: "project" });
  expect(loadConfig({ env: { HOME: home }, cwd: sub }).settings.episodeTypes).toEqual(["risk"]);
  config(sub, { db: "deep" });
  expect(database(sub).name).toBe("deep");
  expect(database(root).name).toBe("shop");
  config(home, { db: "everywhere" });
  expect(database(home).name).toBe("everywhere");
});

it("gives way to the flag and the variable", () => {
  const { env, root, database, config } = place();
  config(root, { db: "shop" });
  expect(database(root, { db: "flag" })).toMatchObject({ name: "flag", by: "flag" });
  env.CAIRN_DB = "variable";
  expect(database(root)).toMatchObject({ name: "variable", by: "environment" });
  expect(database(root, { db: "auto" })).toMatchObject({ name: "shop" });
});

it("is one for all work trees of a repository, in any folder of them", () => {
  const { home, root, sub, database } = place();
  git(root, "init", "-q");
  const here = database(sub);
  expect(here).toEqual({
    name: expect.stringMatching(/^shop-[0-9a-f]{6}$/),
    by: "git",
    source: root,
  });
  expect(database(root).name).toBe(here.name);
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  git(root, "worktree", "add", "-q", join(home, "other"));
  expect(database(join(home, "other"))).toMatchObject({ name: here.name, by: "git" });
  const clone = join(home, "clone", "shop");
  git(home, "clone", "-q", root, clone);
  expect(database(clone).name).not.toBe(here.name);
  expect(database(join(root, ".git")).name).toBe(here.name);
});

it("is no work tree's where .git leads nowhere", () => {
  const { root, database } = place();
  writeFileSync(join(root, ".git"), "gitdir: /nowhere/at/all\n");
  expect(database(root).by).toBe("default");
  writeFileSync(join(root, ".git"), "what?\n");
  expect(database(root).by).toBe("default");
});

it("leaves a config alone that lies where everybody may write", () => {
  const { root, sub, database, config } = place();
  config(root, { db: "planted" });
  chmodSync(root, 0o777);
  expect(database(sub).name).toBe("default");
  expect(database(root).name).toBe("planted");
});

it("is not chosen for a model by a config that nobody trusts", () => {
  const { env, root, sub, database, config } = place();
  config(root, { db: "shop" });
  expect(database(sub, { forAgent: true }).name).toBe("default");
  trustProject({ env, cwd: sub });
  expect(database(sub, { forAgent: true }).name).toBe("shop");
  expect(database(root, { forAgent: true }).name).toBe("shop");
});

it("has a name that a database may have, whatever the folder is called", () => {
  for (const folder of ["Ünïcode shop", "...", "日本語", "-x-", "a".repeat(300), "a b/c"]) {
    const name = `${databaseNameFor(folder) || "project"}-3f2a9c`;
    expect(isDatabaseName(name), folder).toBe(true);
  }
  const { home, database } = place();
  const odd = join(home, "日本語");
  mkdirSync(odd);
  git(odd, "init", "-q");
  expect(database(odd).name).toMatch(/^project-[0-9a-f]{6}$/);
  expect(realpathSync(odd)).toContain("日本語");
});
