import { closeSync, openSync } from "node:fs";
import { CairnError } from "../../shared/errors.ts";
import { startGit } from "../../shared/safe-git.ts";

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface GitOptions {
  readonly input?: string;
  readonly index?: string;
  readonly config?: readonly string[];
  /** Output beyond this is dropped; default: an error. Bytes. */
  readonly truncateAt?: number;
  /** Standard output goes to this new file. */
  readonly outputFile?: string;
  /** Exit codes that are not failures; default 0. */
  readonly allowedCodes?: readonly number[];
}

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
}

/** Runs git without hooks, filters or prompts. Throws `conflict` if it fails. */
export async function git(
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await runGit(cwd, args, options)).stdout;
}

/** Undefined if git is missing, the folder is not a repository, or git fails. */
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
  const [command = ""] = args;
  return new Promise((resolve, reject) => {
    const file = outputFile === undefined ? undefined : openSync(outputFile, "wx", 0o600);
    const child = startGit(args, {
      cwd,
      config,
      ...(index !== undefined && { env: { GIT_INDEX_FILE: index } }),
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
