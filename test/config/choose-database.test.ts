import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordProject } from "../../src/app/note-project.ts";
import { createDatabaseName, loadConfig, trustProject } from "../../src/config/index.ts";
import { isDatabaseName } from "../../src/memory/index.ts";
import { createConfigFolders } from "./config-folders.ts";

function createFolders() {
  const made = createConfigFolders();
  const root = join(made.home, "shop");
  const sub = join(root, "src", "deep");
  mkdirSync(sub, { recursive: true });
  const database = (cwd: string, more: { reader?: "person" | "model"; db?: string } = {}) =>
    loadConfig({
      env: made.env,
      cwd,
      flags: { db: more.db },
      reader: more.reader ?? "person",
    }).database;
  const config = (folder: string, content: object) => {
    mkdirSync(join(folder, ".cairn"), { recursive: true });
    writeFileSync(join(folder, ".cairn", "config.json"), JSON.stringify(content));
  };
  const remembered = (cwd: string) => {
    const loaded = loadConfig({ env: made.env, cwd, reader: "person" });
    recordProject(loaded);
    return loaded.database.name;
  };
  return { ...made, root, sub, database, config, remembered };
}

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

it("is the user's own outside any project", () => {
  const { sub, database } = createFolders();
  expect(database(sub)).toEqual({ name: "default", by: "default", source: "" });
});

it("is that of the nearest config that sets one", () => {
  const { home, root, sub, database, config } = createFolders();
  config(root, { db: "shop" });
  config(join(root, "src"), { episodeTypes: ["risk"] });
  expect(database(sub)).toMatchObject({ name: "shop", by: "project" });
  expect(
    loadConfig({ env: { HOME: home }, cwd: sub, reader: "person" }).settings.episodeTypes,
  ).toEqual(["risk"]);
  config(sub, { db: "deep" });
  expect(database(sub).name).toBe("deep");
  expect(database(root).name).toBe("shop");
  config(home, { db: "everywhere" });
  expect(database(home).name).toBe("everywhere");
});

it("is overridden by flag and variable", () => {
  const { env, root, database, config } = createFolders();
  config(root, { db: "shop" });
  expect(database(root, { db: "flag" })).toMatchObject({ name: "flag", by: "flag" });
  env.CAIRN_DB = "variable";
  expect(database(root)).toMatchObject({ name: "variable", by: "environment" });
  expect(database(root, { db: "auto" })).toMatchObject({ name: "shop" });
});

it("is shared by all work trees of a repository", () => {
  const { home, root, sub, database } = createFolders();
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

it("ignores a .git that leads nowhere", () => {
  const { root, database } = createFolders();
  writeFileSync(join(root, ".git"), "gitdir: /nowhere/at/all\n");
  expect(database(root).by).toBe("default");
  writeFileSync(join(root, ".git"), "what?\n");
  expect(database(root).by).toBe("default");
});

it("ignores a config in a world-writable folder", () => {
  const { root, sub, database, config } = createFolders();
  config(root, { db: "planted" });
  chmodSync(root, 0o777);
  expect(database(sub).name).toBe("default");
  expect(database(root).name).toBe("planted");
});

it("is not chosen for a model by an untrusted config", () => {
  const { env, root, sub, database, config } = createFolders();
  config(root, { db: "shop" });
  expect(database(sub, { reader: "model" }).name).toBe("default");
  trustProject({ env, cwd: sub });
  expect(database(sub, { reader: "model" }).name).toBe("shop");
  expect(database(root, { reader: "model" }).name).toBe("shop");
});

it("has a valid name for any folder name", () => {
  for (const folder of ["Ünïcode shop", "...", "日本語", "-x-", "a".repeat(300), "a b/c"]) {
    const name = `${createDatabaseName(folder) || "project"}-3f2a9c`;
    expect(isDatabaseName(name), folder).toBe(true);
  }
  const { home, database } = createFolders();
  const odd = join(home, "日本語");
  mkdirSync(odd);
  git(odd, "init", "-q");
  expect(database(odd).name).toMatch(/^project-[0-9a-f]{6}$/);
  expect(realpathSync(odd)).toContain("日本語");
});

describe("a repository that moved", () => {
  it("keeps its memory; its old path starts with an empty one", () => {
    const { home, root, database, remembered } = createFolders();
    git(root, "init", "-q");
    const before = remembered(root);
    renameSync(root, join(home, "renamed"));
    expect(database(join(home, "renamed"))).toMatchObject({ name: before, by: "git" });
    remembered(join(home, "renamed"));
    mkdirSync(root);
    git(root, "init", "-q");
    const after = database(root).name;
    expect(after).toMatch(/^shop-[0-9a-f]{6}$/);
    expect(after).not.toBe(before);
    expect(remembered(root)).toBe(after);
    expect(database(join(home, "renamed")).name).toBe(before);
  });

  it("shares nothing with a copy, which gets a new id", () => {
    const { home, root, database, remembered } = createFolders();
    git(root, "init", "-q");
    const before = remembered(root);
    cpSync(root, join(home, "copy"), { recursive: true });
    const copied = remembered(join(home, "copy"));
    expect(copied).toMatch(/^copy-/);
    expect([database(root).name, database(join(home, "copy")).name]).toEqual([before, copied]);
  });

  it("is not found by a foreign id", () => {
    const { root, database } = createFolders();
    git(root, "init", "-q");
    const { name } = database(root);
    writeFileSync(join(root, ".git", "cairn-id"), `${"a".repeat(32)}\n`);
    expect(database(root).name).toBe(name);
  });
});

describe("a link to another repository", () => {
  /** The user's own repository, and an unpacked folder next to it. */
  function honestAndArchive() {
    const made = createFolders();
    const honest = join(made.home, "honest");
    mkdirSync(honest);
    git(honest, "init", "-q");
    git(honest, "commit", "-q", "--allow-empty", "-m", "first");
    return { ...made, honest, own: made.remembered(honest) };
  }

  const LINKS: readonly [string, (folder: string) => void][] = [
    ["a file that names it", (at) => writeFileSync(join(at, ".git"), "gitdir: ../honest/.git\n")],
    ["a symbolic link", (at) => symlinkSync("../honest/.git", join(at, ".git"))],
    [
      "a folder of its own that names it as the common one",
      (at) => {
        mkdirSync(join(at, "fake"));
        writeFileSync(join(at, ".git"), "gitdir: fake\n");
        writeFileSync(join(at, "fake", "HEAD"), "ref: refs/heads/main\n");
        writeFileSync(join(at, "fake", "gitdir"), join(at, ".git"));
        writeFileSync(join(at, "fake", "commondir"), "../../honest/.git\n");
      },
    ],
    [
      "a folder of its own in place of .git that names it so",
      (at) => {
        mkdirSync(join(at, ".git"));
        writeFileSync(join(at, ".git", "HEAD"), "ref: refs/heads/main\n");
        writeFileSync(join(at, ".git", "commondir"), "../../honest/.git\n");
      },
    ],
  ];

  it.each(LINKS)("that is %s has no access to its memory", (_name, link) => {
    const { root, own, database } = honestAndArchive();
    link(root);
    for (const reader of ["person", "model"] as const) {
      const chosen = database(root, { reader });
      expect(chosen.name).not.toBe(own);
      expect(chosen.by).toBe("git");
    }
  });

  it("is reported", () => {
    const { env, root, honest } = honestAndArchive();
    writeFileSync(join(root, ".git"), "gitdir: ../honest/.git\n");
    const { refused, warnings } = loadConfig({ env, cwd: root, reader: "model" });
    expect(refused).toEqual([
      expect.stringContaining(`points to ${join(honest, ".git")}, which does not list this folder`),
    ]);
    expect(warnings).toEqual(refused);
  });

  it("of a submodule is separate", () => {
    const { root, honest, own, database, env } = honestAndArchive();
    git(root, "init", "-q");
    const quiet = ["-c", "protocol.file.allow=always"];
    git(root, ...quiet, "submodule", "add", "-q", honest, "part");
    const part = join(root, "part");
    expect(database(part).name).not.toBe(own);
    expect(database(part).name).not.toBe(database(root).name);
    expect(loadConfig({ env, cwd: part, reader: "model" }).refused).toEqual([]);
  });
});

it.each<[string, (path: string) => void]>([
  ["a named pipe", (path) => execFileSync("mkfifo", [path])],
  ["a link in a circle", (path) => symlinkSync(path, path)],
  ["a folder that is none", (path) => mkdirSync(path)],
])("ignores a .git that is %s", (_name, make) => {
  const { root, sub, database } = createFolders();
  make(join(root, ".git"));
  expect(database(sub).by).toBe("default");
});
