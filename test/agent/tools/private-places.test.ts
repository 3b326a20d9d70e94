import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { unwrapped } from "../../../src/agent/processes/command-limits.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { grepTool } from "../../../src/agent/tools/grep.ts";
import { ProjectPaths } from "../../../src/agent/tools/project-paths.ts";
import { readTool } from "../../../src/agent/tools/read.ts";
import { findProgram } from "../../../src/shared/programs.ts";

const PRIVATE = [
  ".config/cairn/config.json",
  ".config/cairn/mcp-logins.json",
  ".local/share/cairn/memory.db",
  ".codex/auth.json",
  ".claude/.credentials.json",
  ".ssh/id_rsa",
  ".aws/credentials",
];

async function homeAsProject() {
  const home = await realpath(await mkdtemp(join(tmpdir(), "cairn-private-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of [...PRIVATE, "notes.txt"]) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), "sk-key of mine\n");
  }
  const paths = new ProjectPaths({
    projectRoot: home,
    userConfigDir: join(home, ".config/cairn"),
    dataDir: join(home, ".local/share/cairn"),
    allowOutsideProject: true,
  });
  const environment = { PATH: process.env.PATH ?? "" };
  const table = { name: "private", cwd: home, environment, guard: new ExitGuard() };
  const processes = new ProcessTable({ ...table, wrap: unwrapped });
  return { callId: "c", signal: new AbortController().signal, paths, processes };
}

it.each(PRIVATE)("is readable by no tool, whatever the rules: %s", async (path) => {
  const context = await homeAsProject();
  await expect(readTool("hashline").run(context, { path })).rejects.toThrowError(
    /which tools cannot read/,
  );
});

it.each(["ripgrep", "walking"])("is searched by no tool: %s", async (how) => {
  const context = await homeAsProject();
  const ripgrep = how === "ripgrep" ? findProgram("rg", process.env.PATH) : undefined;
  const tool = grepTool(ripgrep);
  const { text } = await tool.run(context, { pattern: "sk-key" });
  expect(text).toContain("notes.txt:1:");
  for (const path of PRIVATE) expect(text).not.toContain(path);
});
