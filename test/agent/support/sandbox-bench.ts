import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { createWorktree } from "../../../src/agent/index.ts";
import type { PermissionRule } from "../../../src/agent/permission/permission-types.ts";
import type { CommandLimits, WrapOptions } from "../../../src/agent/processes/command-limits.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { openSandbox, type Sandbox } from "../../../src/agent/sandbox/open-sandbox.ts";
import type { SandboxSetting } from "../../../src/agent/settings.ts";
import { systemClock } from "../../../src/shared/clock.ts";

export interface SandboxBench {
  /**
   * Contains `project`, `config` and `data`. Not in the temporary directory, which is writable in
   * the sandbox.
   */
  readonly folder: string;
  /** Working directory of commands: the project, or its workspace copy. */
  readonly project: string;
  readonly origin: string;
  readonly home: string;
  readonly notices: readonly string[];
  readonly sandbox: Sandbox;
  readonly processes: ProcessTable;
  run(command: string, options?: WrapOptions): Promise<string>;
}

export interface SandboxBenchOptions {
  readonly setting?: SandboxSetting;
  readonly path?: string;
  /** A function is called after `prepare`. */
  readonly rules?: readonly PermissionRule[] | (() => readonly PermissionRule[]);
  readonly ownHome?: boolean;
  readonly limits?: CommandLimits;
  /** Runs in a workspace copy, like `cairn --copy`. */
  readonly inCopy?: boolean;
  /** The home folder contains the project and the data. */
  readonly homeHoldsAll?: boolean;
  readonly prepare?: (project: string) => Promise<void>;
}

export async function openSandboxBench(options: SandboxBenchOptions = {}): Promise<SandboxBench> {
  const folder = await realpath(await mkdtemp(join(homedir(), ".cairn-sandbox-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const origin = join(folder, "project");
  await mkdir(origin);
  await mkdir(join(folder, "config"));
  await writeFile(join(folder, "config/config.json"), '{"apiKey":"secret"}');
  await options.prepare?.(origin);
  const dataDir = join(folder, "data");
  const wish = { project: origin, dataDir, name: "try", clock: systemClock };
  const project = options.inCopy === true ? (await createWorktree(wish)).tree : origin;
  const home = options.ownHome === true ? await makeHome(folder) : homeOf(options, folder);
  const environment = { PATH: options.path ?? process.env.PATH ?? "", HOME: home };
  const notices: string[] = [];
  const sandbox = await openSandbox({
    setting: options.setting ?? "auto",
    projectRoot: project,
    userConfigDir: join(folder, "config"),
    dataDir,
    environment,
    permissionRules: typeof options.rules === "function" ? options.rules() : (options.rules ?? []),
    onNotice: (notice) => notices.push(notice),
  });
  const processes = new ProcessTable({
    name: `sandbox${Math.random().toString(36).slice(2)}`,
    cwd: project,
    environment: { PATH: process.env.PATH ?? "", HOME: home },
    wrap: sandbox.wrap,
    guard: new ExitGuard(options.limits),
  });
  onTestFinished(async () => {
    await processes.killAll();
    await sandbox.close();
  });
  return {
    folder,
    project,
    origin,
    home,
    notices,
    sandbox,
    processes,
    async run(command, wrapping = {}) {
      const started = await processes.start(command, wrapping);
      await started.ended;
      return started.output.text();
    },
  };
}

function homeOf({ homeHoldsAll = false }: SandboxBenchOptions, folder: string): string {
  if (!homeHoldsAll) return homedir();
  vi.stubEnv("HOME", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

/** Creates a home folder with credentials, tools and documents. */
async function makeHome(folder: string): Promise<string> {
  const home = join(folder, "home");
  const files = [
    ".ssh/id_rsa",
    ".aws/credentials",
    ".codex/auth.json",
    "letter.txt",
    ".cargo/config.toml",
  ];
  for (const name of files) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), `key of ${name}\n`);
  }
  vi.stubEnv("HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  return home;
}

/** Returns the reason why this machine has no sandbox, or undefined if it has one. */
export async function findSandboxProblem(): Promise<string | undefined> {
  // In a new folder: other tests have projects in the home folder.
  const projectRoot = await mkdtemp(join(homedir(), ".cairn-probe-"));
  const probe = await openSandbox({
    ...{ setting: "auto", projectRoot },
    userConfigDir: "/nonexistent",
    dataDir: "/nonexistent",
    environment: { PATH: process.env.PATH ?? "" },
    permissionRules: [],
  });
  await probe.close();
  await rm(projectRoot, { recursive: true, force: true });
  return probe.label.startsWith("off") ? probe.label : undefined;
}
