import { execFile } from "node:child_process";

/** Nothing that a repository says may be started: no hook, no watcher, no pager, no helper for keys. */
const SAFE = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.pager=cat", "-c", "credential.helper=", "-c", "protocol.allow=never"],
];
const MOST_OUTPUT = 256 * 1024 * 1024;

export interface GitInput {
  readonly input?: string | Uint8Array;
  /** Takes the place of the repository's index. */
  readonly index?: string;
}

/** Undefined where git is not there or says no. Programs of filters are started by none of its uses. */
export async function safeGit(
  cwd: string,
  args: readonly string[],
  input: GitInput = {},
): Promise<string | undefined> {
  return (await safeGitBytes(cwd, args, input))?.toString("utf8");
}

/** The same for what is no text. */
export function safeGitBytes(
  cwd: string,
  args: readonly string[],
  { input, index }: GitInput = {},
): Promise<Buffer | undefined> {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...environment } = process.env;
  const quiet = { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  const env = { ...environment, ...quiet, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
  return new Promise((resolve) => {
    const child = execFile(
      "git",
      [...SAFE, ...args],
      { cwd, env, maxBuffer: MOST_OUTPUT, encoding: "buffer" },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
    if (input === undefined) return;
    // Where git says no before it has read all, that is the answer.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
