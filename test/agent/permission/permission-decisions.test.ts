import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Permission } from "../../../src/agent/permission/permission.ts";
import type { PermissionMode } from "../../../src/agent/ports/permission-mode.ts";
import { unwrapped } from "../../../src/agent/processes/command-limits.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { ProjectPaths } from "../../../src/agent/tools/project-paths.ts";
import { shellTool } from "../../../src/agent/tools/shell.ts";
import { type CommandKind, EXPECTED_KINDS } from "../support/expected-kinds.ts";

/** Outcome of a command if no user can be prompted. */
type Decision = "runs" | "runs, writing nothing" | "does not run";

const RUNS_READING = { reads: "runs, writing nothing" } as const;
const REFUSED = { edits: "does not run", acts: "does not run" } as const;
const ALWAYS = {
  confined: "does not run",
  asks: "does not run",
  leaves: "does not run",
} as const;

/**
 * Expected outcome by mode and kind of command. `confined` commands run only in a sandbox, in mode
 * `auto`.
 */
const EXPECTED: Readonly<Record<PermissionMode, Readonly<Record<CommandKind, Decision>>>> = {
  plan: { ...RUNS_READING, ...REFUSED, ...ALWAYS },
  ask: { ...RUNS_READING, ...REFUSED, ...ALWAYS },
  edits: { reads: "runs", edits: "runs", acts: "does not run", ...ALWAYS },
  auto: { reads: "runs", edits: "runs", acts: "runs", ...ALWAYS },
};

interface Ground {
  readonly isConfined: boolean;
}

async function openGate(mode: PermissionMode, { isConfined }: Ground) {
  const home = realpathSync(mkdtempSync(join(homedir(), ".cairn-decisions-")));
  const origin = join(home, "project");
  for (const folder of [".ssh", "project/src"]) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, ".ssh/id_rsa"), "SECRET\n");
  for (const name of ["a.txt", "b.txt", "precious.txt", "src/a.ts"]) {
    writeFileSync(join(origin, name), "x y\n");
  }
  writeFileSync(join(origin, "evil.sh"), "#!/bin/sh\n", { mode: 0o755 });
  const git = (...words: string[]) => execFileSync("git", words, { cwd: origin });
  git("init", "-q");
  git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first", "--allow-empty");
  vi.stubEnv("HOME", home);
  const environment = { PATH: process.env.PATH ?? "", HOME: home };
  const dataDir = join(home, ".local/share/cairn");
  const project = origin;
  const places = { projectRoot: project, userConfigDir: join(home, ".config/cairn"), dataDir };
  const table = { name: `decide${process.pid}`, cwd: project, environment, guard: new ExitGuard() };
  const processes = new ProcessTable({ ...table, wrap: unwrapped });
  const paths = new ProjectPaths({ ...places, allowOutsideProject: false });
  const rest = { rules: [], isServer: false, paths, processes, path: environment.PATH };
  const permission = new Permission({ ...places, ...rest, mode });
  permission.settleMode(isConfined);
  onTestFinished(async () => {
    await processes.killAll();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });
  const { signal } = new AbortController();
  const gate = permission.gate({ threadId: "t", knownFiles: new Set() });
  return async (command: string): Promise<Decision> => {
    const permit = await gate({ callId: "c", tool: shellTool, input: { command }, signal });
    if (!permit.allowed) return "does not run";
    return permit.readOnly === true ? "runs, writing nothing" : "runs";
  };
}

it("covers at least 150 further commands", () => {
  const { length } = Object.keys(EXPECTED_KINDS);
  expect(length).toBeGreaterThan(150);
});

describe.each([
  ["where something confines", { isConfined: true }],
  ["where nothing does", { isConfined: false }],
] as const)("%s", (_where, ground) => {
  it.each(Object.keys(EXPECTED) as PermissionMode[])("mode %s decides", async (mode) => {
    const decide = await openGate(mode, ground);
    const wrong: string[] = [];
    for (const [command, kind] of Object.entries(EXPECTED_KINDS)) {
      const isInSandbox = kind === "confined" && mode === "auto" && ground.isConfined;
      const expected = isInSandbox ? "runs" : EXPECTED[mode][kind];
      const decided = await decide(command);
      if (decided !== expected) wrong.push(`${command} (${kind}): ${decided}, not: ${expected}`);
    }
    expect(wrong.join("\n")).toBe("");
  });
});
