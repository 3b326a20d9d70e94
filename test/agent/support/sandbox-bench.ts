import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PermissionRule } from "../../../src/agent/permission/permission-types.ts";
import type { WrapOptions } from "../../../src/agent/processes/command-wrapper.ts";
import { ExitGuard } from "../../../src/agent/processes/exit-guard.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { openSandbox, type Sandbox } from "../../../src/agent/sandbox/open-sandbox.ts";
import type { SandboxSetting } from "../../../src/agent/settings.ts";

export interface SandboxBench {
  /** Holds `project`, `config` and `data`; not below the temporary files, which are writable. */
  readonly folder: string;
  readonly project: string;
  readonly sandbox: Sandbox;
  readonly processes: ProcessTable;
  /** Runs a command to its end; returns what it printed. */
  run(command: string, options?: WrapOptions): Promise<string>;
}

export interface SandboxBenchOptions {
  readonly setting?: SandboxSetting;
  readonly path?: string;
  readonly rules?: readonly PermissionRule[];
  /** Before the sandbox opens. */
  readonly prepare?: (project: string) => Promise<void>;
}

/** A project on the disk and a sandbox around it, removed after the test. */
export async function openSandboxBench(options: SandboxBenchOptions = {}): Promise<SandboxBench> {
  const folder = await realpath(await mkdtemp(join(homedir(), ".cairn-sandbox-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  await mkdir(project);
  await mkdir(join(folder, "config"));
  await writeFile(join(folder, "config/config.json"), '{"apiKey":"secret"}');
  await options.prepare?.(project);
  const environment = { PATH: options.path ?? process.env.PATH ?? "" };
  const sandbox = await openSandbox({
    setting: options.setting ?? "auto",
    projectRoot: project,
    userConfigDir: join(folder, "config"),
    dataDir: join(folder, "data"),
    environment,
    permissionRules: options.rules ?? [],
  });
  const processes = new ProcessTable({
    name: `sandbox${Math.random().toString(36).slice(2)}`,
    cwd: project,
    environment: { PATH: process.env.PATH ?? "" },
    wrap: sandbox.wrap,
    guard: new ExitGuard(),
  });
  onTestFinished(async () => {
    await processes.killAll();
    await sandbox.close();
  });
  return {
    folder,
    project,
    sandbox,
    processes,
    async run(command, wrapping = {}) {
      const started = await processes.start(command, wrapping);
      await started.ended;
      return started.output.text();
    },
  };
}

/** Why nothing can be confined on this machine; undefined: it can. */
export async function whyNoSandbox(): Promise<string | undefined> {
  const probe = await openSandbox({
    setting: "auto",
    projectRoot: homedir(),
    userConfigDir: "/nonexistent",
    dataDir: "/nonexistent",
    environment: { PATH: process.env.PATH ?? "" },
    permissionRules: [],
  });
  await probe.close();
  return probe.label.startsWith("off") ? probe.label : undefined;
}
