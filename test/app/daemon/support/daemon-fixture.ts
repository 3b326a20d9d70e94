import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { controlDaemon, type DaemonStatus } from "../../../../src/app/daemon/index.ts";
import { type CliOptions, type CliResult, waitForExit } from "../../../support/run-cli.ts";
import { backendVariables } from "../../../support/test-backend.ts";

/** A user with a data folder whose commands use the daemon. Removed after the test. */
export class DaemonFixture {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "cairn-stays-")));
  readonly dataDir: string;
  readonly folder: string;
  readonly project = join(this.root, "project");
  readonly daemonFile: string;
  readonly #program: string;

  constructor(builtPackage: string, dataDir?: string) {
    this.dataDir = dataDir ?? join(this.root, "data");
    this.folder = join(this.dataDir, "daemon");
    this.daemonFile = join(builtPackage, "dist", "daemon.program.js");
    this.#program = join(builtPackage, "bin", "cairn.js");
    for (const folder of [this.dataDir, this.project]) mkdirSync(folder, { recursive: true });
    onTestFinished(async () => {
      const pid = (await controlDaemon(this.folder, "status"))?.pid;
      if (pid !== undefined) process.kill(pid, "SIGKILL");
      rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  makeFolder(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: this.root,
      ...backendVariables(this.dataDir),
      CAIRN_EMBEDDING_PROVIDER: "none",
      CAIRN_DAEMON: "auto",
    };
  }

  start(args: readonly string[], { env, cwd = this.project }: StartOptions = {}): ChildProcess {
    const child = spawn(process.execPath, [this.#program, ...args], {
      cwd,
      env: { ...this.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  run(args: readonly string[], options: StartOptions = {}): Promise<CliResult> {
    const child = this.start(args, options);
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.stdin ?? "");
    return waitForExit(child);
  }

  async print(args: readonly string[], options: StartOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    return stdout;
  }

  status(): Promise<DaemonStatus | undefined> {
    return controlDaemon(this.folder, "status");
  }

  async warmUp(): Promise<DaemonStatus> {
    await this.print(["remember", "The first note of all"]);
    return this.waitUntilRunning();
  }

  async waitUntilRunning(): Promise<DaemonStatus> {
    const status = await expect
      .poll(() => this.status(), { timeout: 60_000, interval: 100 })
      .toBeDefined()
      .then(() => this.status());
    if (status === undefined) throw new Error("it is gone again");
    return status;
  }

  async waitUntilGone(pid: number): Promise<void> {
    await expect.poll(() => isAlive(pid), { timeout: 60_000, interval: 50 }).toBe(false);
  }
}

export interface StartOptions extends CliOptions {
  readonly cwd?: string;
}

/** A zombie counts as alive until its parent reaps it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
