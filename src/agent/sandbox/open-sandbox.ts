import { rm } from "node:fs/promises";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { findProgram, startShell } from "../../shared/programs.ts";
import type { PermissionRule } from "../permission/permission-types.ts";
import { type CommandWrapper, unwrapped } from "../processes/command-limits.ts";
import type { SandboxSetting } from "../settings.ts";
import { formatExports, openPackageCaches } from "./package-caches.ts";
import { makeHelperFolder, type SandboxHelper, startSandboxHelper } from "./sandbox-helper.ts";
import { readableRules, realPath, type SandboxPaths, sandboxRules } from "./sandbox-rules.ts";

// A loaded machine takes seconds; a short limit would leave commands unconfined.
const TEST_TIMEOUT_MS = 20_000;

export interface Sandbox {
  /** `bubblewrap`, `Seatbelt`, or `off (why)`. */
  readonly label: string;
  readonly wrap: CommandWrapper;
  close(): Promise<void>;
}

export interface SandboxOptions extends SandboxPaths {
  readonly setting: SandboxSetting;
  readonly environment: Readonly<Record<string, string>>;
  readonly onNotice?: (notice: string) => void;
  readonly onHost?: (host: string, isAllowed: boolean) => void;
  /** Rules for `network` open hosts. */
  readonly permissionRules: readonly PermissionRule[];
}

/**
 * Confines commands and hooks: they write to the project, private temporary files and private
 * caches, without files that other programs load later, and without network. Never throws: if no
 * sandbox starts, commands run without one and the label names the reason, unless it is required.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.setting === "off") return disabledSandbox("by setting", options);
  try {
    const label = await findMeans(options);
    const opened = await startSandbox(label, options);
    return typeof opened === "string" ? disabledSandbox(opened, options) : opened;
  } catch (error) {
    return disabledSandbox(messageOf(error), options);
  }
}

async function findMeans({ environment }: SandboxOptions): Promise<string> {
  const label = { linux: "bubblewrap", darwin: "Seatbelt" }[process.platform as string];
  if (label === undefined) throw unavailableSandbox(`not available on ${process.platform}`);
  const missing = missingPrograms(environment.PATH);
  if (missing.length > 0) throw unavailableSandbox(`not installed: ${missing.join(", ")}`);
  return label;
}

function unavailableSandbox(reason: string): CairnError {
  return new CairnError("unavailable", reason);
}

async function startSandbox(label: string, options: SandboxOptions): Promise<Sandbox | string> {
  // Only Linux can replace the shared temporary folder.
  const temporary = process.platform === "linux" ? await makeHelperFolder() : undefined;
  const { environment, dataDir, projectRoot, isTrial } = options;
  const caches =
    isTrial === true
      ? undefined
      : await openPackageCaches({ root: realPath(projectRoot), dataDir, environment });
  const places = {
    ...options,
    path: environment.PATH,
    ...(temporary !== undefined && { temporary }),
    ...(caches !== undefined && { caches }),
  };
  const rules = sandboxRules(places, options.permissionRules);
  const surroundings = {
    environment,
    onNotice: options.onNotice ?? (() => undefined),
    onHost: options.onHost ?? (() => undefined),
  };
  const shut = new HelperKeeper(() => startSandboxHelper(rules, surroundings));
  const opened = new HelperKeeper(() => startSandboxHelper(readableRules(rules), surroundings));
  const before = caches === undefined ? "" : formatExports(caches);
  const wrap: CommandWrapper = async (command, wrapping) => {
    const helper = wrapping?.network === true ? opened : shut;
    const wrapped = await helper.wrap(command, wrapping);
    return { ...wrapped, command: `${before}${wrapped.command}` };
  };
  const close = async () => {
    await Promise.all([shut.close(), opened.close()]);
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  };
  const problem = await testSandbox(wrap, options).catch(messageOf);
  if (problem === undefined) return { label, wrap, close };
  await close();
  return problem;
}

function disabledSandbox(reason: string, { setting }: SandboxOptions): Sandbox {
  const label = `off (${setting === "required" ? "required, but " : ""}${reason})`;
  const close = async () => undefined;
  if (setting !== "required") return { label, wrap: unwrapped, close };
  const refuse: CommandWrapper = () => {
    throw new CairnError(
      "unavailable",
      `No command runs: the sandbox is required, but ${reason}. Tell the user; "sandbox": "auto" in the config continues without it.`,
    );
  };
  return { label, wrap: refuse, close };
}

/** Starts the helper on demand, and again after it was killed. */
class HelperKeeper {
  readonly #start: () => Promise<SandboxHelper>;
  #helper: Promise<SandboxHelper> | undefined;

  constructor(start: () => Promise<SandboxHelper>) {
    this.#start = start;
  }

  /** Throws if no helper can be started: nothing runs unconfined. */
  async wrap(...command: Parameters<CommandWrapper>): ReturnType<CommandWrapper> {
    // Serialized, so that two commands do not start two helpers.
    this.#helper = this.#alive(this.#helper);
    return (await this.#helper).wrap(...command);
  }

  async #alive(before: Promise<SandboxHelper> | undefined): Promise<SandboxHelper> {
    const helper = await before?.catch(() => undefined);
    if (helper?.isAlive === true) return helper;
    await helper?.close();
    return this.#start();
  }

  async close(): Promise<void> {
    const helper = await this.#helper?.catch(() => undefined);
    await helper?.close();
  }
}

/** Checked first, since loading the sandbox takes time. */
function missingPrograms(pathVariable: string | undefined): readonly string[] {
  if (process.platform !== "linux") return [];
  const programs = ["bwrap", "socat"];
  return programs.filter((program) => findProgram(program, pathVariable) === undefined);
}

/** Runs a command in the sandbox and returns why it failed, if it did. */
async function testSandbox(
  wrap: CommandWrapper,
  { projectRoot, environment }: SandboxOptions,
): Promise<string | undefined> {
  const { command, finished } = await wrap("echo cairn", { makesNothing: true });
  try {
    return await new Promise((resolve) => {
      const child = startShell(command, {
        cwd: projectRoot,
        env: { ...environment },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: TEST_TIMEOUT_MS,
        killSignal: "SIGKILL",
      });
      let output = "";
      let problem = "";
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
      child.stderr.on("data", (chunk: Buffer) => {
        problem += chunk.toString();
      });
      child.once("error", (error) => resolve(messageOf(error)));
      child.once("close", (exitCode) => {
        const works = exitCode === 0 && output.trim() === "cairn";
        resolve(works ? undefined : firstLine(problem) || `a trial ended with ${exitCode}`);
      });
    });
  } finally {
    await finished?.();
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
