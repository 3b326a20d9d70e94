import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expandBraces } from "../../../src/agent/tools/glob-pattern.ts";
import { globTool, grepTool } from "../../../src/agent/tools/grep.ts";
import { findProgram } from "../../../src/shared/programs.ts";
import { openToolBench, type ToolBench } from "../support/tool-bench.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
  const files = {
    ".gitignore": "dist/\n*.log\n!keep.log\n",
    "src/a.ts": "const needle = 1;\nother\n",
    "src/deep/b.tsx": "other\nneedle\nother\n",
    "src/deep/.gitignore": "secret.ts\n",
    "src/deep/secret.ts": "needle\n",
    "dist/out.js": "needle\n",
    "x.log": "needle\n",
    "keep.log": "needle\n",
    ".hidden/c.md": "needle\n",
    ".git/config": "needle\n",
    "binary.dat": "\0needle\n",
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(bench.root, path)), { recursive: true });
    await writeFile(join(bench.root, path), content);
  }
  await symlink("/etc", join(bench.root, "etc-link"));
});
afterEach(() => bench.close());

const glob = async (input: object) => (await bench.run(globTool, input)).text.split("\n");

describe("glob", () => {
  it.each([
    ["**/*.ts", ["src/a.ts"]],
    ["*.{ts,tsx}", ["src/a.ts", "src/deep/b.tsx"]],
    ["src/*", ["src/a.ts"]],
    ["*.log", ["keep.log"]],
    ["*.md", [".hidden/c.md"]],
    ["**", [".gitignore", ".hidden/c.md", "binary.dat", "keep.log", "src/a.ts"]],
  ])("of %s respects .gitignore", async (pattern, expected) => {
    const found = await glob({ pattern });
    expect(found).toEqual(expect.arrayContaining(expected));
    for (const path of found) expect(path).not.toMatch(/^dist|x\.log|secret|^\.git\/|etc-link/);
  });

  it("in a folder matches below it and shows paths of the project", async () => {
    expect(await glob({ pattern: "*.tsx", path: "src/deep" })).toEqual(["src/deep/b.tsx"]);
    expect(await glob({ pattern: "deep/*.tsx", path: "src" })).toEqual(["src/deep/b.tsx"]);
  });

  it("expands nested braces", () => {
    expect(expandBraces("a.{b,{c,d}e}").sort()).toEqual(["a.b", "a.ce", "a.de"]);
    expect(expandBraces("{}{")).toEqual(["{"]);
    expect(() => expandBraces("{a,b}".repeat(40))).toThrow("more than 1000");
  });
});

const ripgrep = findProgram("rg", process.env.PATH);
const programs: (readonly [string, string | undefined])[] = [["by walking", undefined]];
if (ripgrep !== undefined && existsSync(ripgrep)) programs.push(["with ripgrep", ripgrep]);

describe.each(programs)("grep %s", (_how, program) => {
  const grep = async (input: object) =>
    (await bench.run(grepTool(program), input)).text.split("\n");

  it("respects .gitignore", async () => {
    expect(await grep({ pattern: "needle" })).toEqual([
      ".hidden/c.md:1:needle",
      "keep.log:1:needle",
      "src/a.ts:1:const needle = 1;",
      "src/deep/b.tsx:2:needle",
    ]);
  });

  it("is narrowed by a glob, a folder or a file", async () => {
    expect(await grep({ pattern: "needle", glob: "*.tsx" })).toEqual(["src/deep/b.tsx:2:needle"]);
    expect(await grep({ pattern: "needle", path: "src/deep" })).toEqual([
      "src/deep/b.tsx:2:needle",
    ]);
    expect(await grep({ pattern: "^const", path: "src/a.ts" })).toEqual([
      "src/a.ts:1:const needle = 1;",
    ]);
  });

  it("shows context around matches", async () => {
    expect(await grep({ pattern: "needle", context: 1, path: "src" })).toEqual([
      "src/a.ts:1:const needle = 1;",
      "src/a.ts-2-other",
      "--",
      "src/deep/b.tsx-1-other",
      "src/deep/b.tsx:2:needle",
      "src/deep/b.tsx-3-other",
    ]);
  });

  it("reports no matches and an invalid pattern", async () => {
    expect(await grep({ pattern: "nowhere" })).toEqual(["Nothing matches nowhere."]);
    await expect(grep({ pattern: "(" })).rejects.toThrow("pattern");
  });

  it("accepts a pattern that looks like an option", async () => {
    expect(await grep({ pattern: "--files" })).toEqual(["Nothing matches --files."]);
  });
});
