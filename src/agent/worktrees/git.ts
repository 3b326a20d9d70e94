import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { CairnError } from "../../shared/errors.ts";

/** Hooks, watchers, pagers, credential helpers and transports of the repository stay unused. */
const SAFE_OPTIONS = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"],
  ...["-c", "credential.helper=", "-c", "protocol.allow=never", "-c", "gc.auto=0"],
  ...["-c", "commit.gpgSign=false", "-c", "core.attributesFile=/dev/null"],
];
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface GitOptions {
  readonly input?: string;
  /** Replaces the index of the repository. */
  readonly index?: string;
  /** Options before the subcommand, such as disabled filters. */
  readonly config?: readonly string[];
  /** Output beyond this is dropped; default: an error. Bytes. */
  readonly truncateAt?: number;
  /** Standard output goes to this new file. */
  readonly outputFile?: string;
  /** Exit codes that are no failure; default 0. */
  readonly allowedCodes?: readonly number[];
}

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
}

/** Runs git without hooks, filters of its own or prompts. Throws `conflict` when it fails. */
export async function git(
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await runGit(cwd, args, options)).stdout;
}

/** Returns undefined where git is missing, the folder is no repository, or git fails. */
export async function tryGit(cwd: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await git(cwd, args)).trim();
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

export function runGit(
  cwd: string,
  args: readonly string[],
  { input, index, config = [], truncateAt, outputFile, allowedCodes = [0] }: GitOptions = {},
): Promise<GitResult> {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...inherited } = process.env;
  const env = {
    ...inherited,
    ...{ GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
  };
  const [command = ""] = args;
  return new Promise((resolve, reject) => {
    const file = outputFile === undefined ? undefined : openSync(outputFile, "wx", 0o600);
    const child = spawn("git", [...SAFE_OPTIONS, ...config, ...args], {
      cwd,
      env,
      stdio: ["pipe", file ?? "pipe", "pipe"],
    });
    if (file !== undefined) closeSync(file);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let problem = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (truncateAt !== undefined && bytes > truncateAt) {
        chunks.push(chunk.subarray(0, Math.max(0, chunk.length - (bytes - truncateAt))));
        child.kill();
      } else if (bytes > MAX_OUTPUT_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      if (problem.length < 2_000) problem += chunk.toString("utf8");
    });
    // git may exit before it has read all input; its exit code reports the failure.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input ?? "");
    child.on("error", (error) => {
      reject(new CairnError("unavailable", `git could not be started: ${error.message}`));
    });
    child.on("close", (code) => {
      const stdout = Buffer.concat(chunks).toString("utf8");
      if (truncateAt !== undefined && bytes > truncateAt) return resolve({ code: 0, stdout });
      if (code !== null && allowedCodes.includes(code) && bytes <= MAX_OUTPUT_BYTES) {
        return resolve({ code, stdout });
      }
      const reason = problem.trim().split("\n").slice(0, 3).join(" ") || `exit code ${code}`;
      reject(new CairnError("conflict", `git ${command} failed: ${reason}`));
    });
  });
}

/** Options that turn off every clean, smudge and merge program that the configuration names. */
export async function disabledPrograms(cwd: string): Promise<readonly string[]> {
  const { stdout } = await runGit(
    cwd,
    ["config", "--name-only", "-z", "--get-regexp", "^(filter|merge)\\..*\\.[a-z]+$"],
    { allowedCodes: [0, 1] },
  );
  const overrides: string[] = [];
  for (const key of new Set(stdout.split("\0"))) {
    const [, kind, name] = /^(filter|merge)\.(.+)\.[a-z]+$/.exec(key) ?? [];
    if (kind === undefined || name === undefined) continue;
    const values =
      kind === "merge" ? ["driver=false"] : ["clean=", "smudge=", "process=", "required=false"];
    for (const value of values) overrides.push("-c", `${kind}.${name}.${value}`);
  }
  return overrides;
}
