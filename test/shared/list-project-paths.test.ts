import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listProjectPaths } from "../../src/shared/list-project-paths.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cairn-paths-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function list(): Promise<string[]> {
  const paths: string[] = [];
  await listProjectPaths(root, (more) => paths.push(...more));
  return paths;
}

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });

it("lists tracked and untracked files with folders, without ignored ones", async () => {
  git("init", "-q");
  put(".gitignore", "out/\n");
  put("src/deep/a.ts");
  git("add", ".");
  put("src/new.ts");
  put("out/x.js");
  put("a name with blanks.md");
  const paths = await list();
  expect(paths.toSorted()).toEqual([
    ".gitignore",
    "src/",
    "src/deep/",
    "src/deep/a.ts",
    "src/new.ts",
  ]);
});

it("runs no program of the project's config", async () => {
  git("init", "-q");
  put("a.ts");
  put("spy.sh", "#!/bin/sh\ntouch was-run\n");
  chmodSync(join(root, "spy.sh"), 0o755);
  git("config", "core.fsmonitor", "./spy.sh");
  expect(await list()).not.toContain("was-run");
  expect(await list()).not.toContain("was-run");
});

it("walks folders without git, skipping dependencies", async () => {
  put("src/a.ts");
  put("node_modules/x/index.js");
  expect(await list()).toEqual(["src/", "src/a.ts"]);
});
