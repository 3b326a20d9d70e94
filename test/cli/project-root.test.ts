import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findProjectRoot } from "../../src/cli/project-root.ts";

let home = "";
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "cairn-root-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = (path: string) => {
  mkdirSync(join(home, path), { recursive: true });
  return join(home, path);
};
const repository = (path: string) => writeFileSync(join(folder(`${path}/.git`), "HEAD"), "x");
const rootOf = (cwd: string) => findProjectRoot(cwd, { HOME: home });

it("is the top of the git work tree, from each of its folders", () => {
  repository("shop");
  expect(rootOf(folder("shop/src/deep"))).toBe(join(home, "shop"));
  expect(rootOf(join(home, "shop"))).toBe(join(home, "shop"));
});

it("is the nearest folder with a config", () => {
  repository("shop");
  folder("shop/packages/a/.cairn/commands");
  expect(rootOf(folder("shop/packages/a/src"))).toBe(join(home, "shop/packages/a"));
  expect(rootOf(folder("shop/packages/b/src"))).toBe(join(home, "shop"));
});

it("is the root of a linked work tree", () => {
  writeFileSync(join(folder("tree"), ".git"), "gitdir: /elsewhere\n");
  expect(rootOf(folder("tree/src"))).toBe(join(home, "tree"));
});

it("is the current folder outside a project, and never the home folder", () => {
  expect(rootOf(folder("notes/today"))).toBe(join(home, "notes/today"));
  repository(".");
  expect(rootOf(folder("notes/today"))).toBe(join(home, "notes/today"));
  expect(rootOf(home)).toBe(home);
});
