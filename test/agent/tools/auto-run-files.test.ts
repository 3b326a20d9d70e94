import { expect, it } from "vitest";
import { isAutoRun, isAutoRunFile } from "../../../src/agent/tools/auto-run-files.ts";

it.each([
  // The less common file names of each kind.
  ["hooks of git", "lefthook.json", ".lefthook-local.toml", ".config/lefthook.yml"],
  ["hooks of git", ".lintstagedrc.cjs", "lint-staged.config.mjs", ".huskyrc.json"],
  ["hooks of git", ".simple-git-hooks.cjs", "captainhook.json", "hk.pkl"],
  ["editors", ".helix/languages.toml", ".dir-locals-2.el", ".lazy.lua", ".nvim/init.lua"],
  ["editors", "shop.code-workspace", "sub/Shop.sublime-project", ".vs/tasks.vs.json", ".run/a.xml"],
  ["workspaces of others' machines", ".gitpod.yml", ".replit", ".idx/dev.nix", "devfile.yaml"],
  ["shells", ".autoenv.zsh", ".cshrc", ".config/fish/config.fish"],
  [
    "version managers",
    "mise.local.toml",
    ".mise/config.toml",
    ".config/mise.toml",
    ".bazelversion",
  ],
  ["package managers", ".pnp.cjs", ".pnpmfile.mjs", ".bundle/config", "gradle/wrapper/gradle.jar"],
  ["package managers", "NuGet.Config", ".jvmopts", ".sbtopts"],
  ["interpreters and debuggers", ".Rprofile", ".gdbinit", ".pdbrc", ".ghci", ".iex.exs", ".irbrc"],
  ["build services", "Jenkinsfile", "azure-pipelines.yml", ".travis.yml", ".drone.yml"],
  ["build services", ".gitea/workflows/a.yml", ".forgejo/workflows/a.yml", ".buildkite/a.yml"],
  ["agents", ".windsurf/rules/a.md", ".clinerules", ".roo/mcp.json", ".kiro/steering/a.md"],
  ["agents", "QWEN.md", "WARP.md", ".goosehints", ".junie/guidelines.md", "opencode.jsonc"],
  ["agents", ".github/instructions/a.instructions.md", ".github/prompts/a.prompt.md", ".rules"],
])("lists files that %s execute: %s, %s", (_kind, ...paths) => {
  for (const path of paths) {
    expect(isAutoRun(path), path).toBe(true);
    expect(isAutoRun(`packages/a/${path}`), path).toBe(true);
  }
});

it("a file with an ending that a program opens as a whole workspace counts by itself", () => {
  expect(isAutoRunFile("a/b/Shop.code-workspace")).toBe(true);
  expect(isAutoRunFile("a/code-workspace/x.ts")).toBe(false);
});

it.each(["src/rules.ts", "docs/agents/list.md", "jenkins/file.ts", "a/.env.example", "mise.ts"])(
  "excludes files that nothing executes: %s",
  (path) => {
    expect(isAutoRun(path)).toBe(false);
  },
);
