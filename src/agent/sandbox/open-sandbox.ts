import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../kernel/errors.ts";
import { type CommandWrapper, unwrapped } from "../processes/command-wrapper.ts";
import { findProgram } from "../tools/find-program.ts";
import { startSandboxHelper } from "./sandbox-helper.ts";
import type { FilesystemRules } from "./sandbox-messages.ts";

const TRIAL_MS = 5_000;

/**
 * Where package managers keep archives and compilers their intermediate results, below the home
 * folder. What holds programs or scripts that a later command of the user's would run is not here.
 */
const CACHES = [".npm/_cacache", ".npm/_logs", ".cache/go-build", ".cache/ccache"];

/** Files of a project that git, an editor, a shell or another agent acts upon outside of a sandbox. */
const ACTED_UPON = [
  ".git/hooks",
  ".git/config",
  ".git/config.worktree",
  ".git/info",
  ".gitmodules",
  ".envrc",
  ".mcp.json",
  ".vscode",
  ".idea",
  ".claude",
  ".codex",
  ".gemini",
  ".cursor",
];

export interface Sandbox {
  /** `bubblewrap`, `Seatbelt`, or `off (why)`. */
  readonly label: string;
  readonly wrap: CommandWrapper;
  /** Ends the helper processes of the sandbox. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** The setting. */
  readonly enabled: boolean;
  readonly projectRoot: string;
  readonly userConfigDir: string;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Confines what shell commands write to the project, temporary files and package caches, and hides
 * cairn's own config. The network stays open. Never throws: where it cannot start, commands run
 * without it and the label says why.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (!options.enabled) return off("by setting");
  const name = { linux: "bubblewrap", darwin: "Seatbelt" }[process.platform as string];
  if (name === undefined) return off(`not available on ${process.platform}`);
  try {
    const missing = await missingPrograms(options.environment.PATH);
    if (missing.length > 0) return off(`not installed: ${missing.join(", ")}`);
    const { wrap, close } = await startSandboxHelper(filesystemRules(options));
    const problem = await tryOut(wrap, options);
    if (problem === undefined) return { label: name, wrap, close };
    await close();
    return off(problem);
  } catch (error) {
    return off(messageOf(error));
  }
}

function off(reason: string): Sandbox {
  return { label: `off (${reason})`, wrap: unwrapped, close: async () => undefined };
}

/** Looked up first, because loading the sandbox costs time that is lost without them. */
async function missingPrograms(pathVariable: string | undefined): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const programs = ["bwrap", "socat"];
  const found = await Promise.all(programs.map((program) => findProgram(program, pathVariable)));
  return programs.filter((_program, index) => found[index] === undefined);
}

function filesystemRules({ projectRoot, userConfigDir, dataDir }: SandboxOptions): FilesystemRules {
  const caches = CACHES.map((folder) => join(homedir(), folder));
  const ownFiles = [".cairn/config.json", ".cairn/plans.json", ".cairn/tasks.json"];
  // A hook that git runs later, outside of the sandbox, would be a way out of it.
  const guarded = [...ownFiles, ".cairn/cairn.md", ...ACTED_UPON].map((path) =>
    join(projectRoot, path),
  );
  return {
    allowWrite: [projectRoot, tmpdir(), ...caches].filter(existsSync),
    // Only what exists: a rule for what does not leaves an empty file in its place.
    denyWrite: [userConfigDir, dataDir, ...guarded].filter(existsSync),
    denyRead: [join(userConfigDir, "config.json")].filter(existsSync),
  };
}

/** Runs a command in the sandbox and returns what kept it from working. */
async function tryOut(
  wrap: CommandWrapper,
  { projectRoot, environment }: SandboxOptions,
): Promise<string | undefined> {
  const { command, finished } = await wrap("echo cairn");
  try {
    return await new Promise((resolve) => {
      const child = spawn("sh", ["-c", command], {
        cwd: projectRoot,
        env: { ...environment },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: TRIAL_MS,
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
    finished?.();
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
