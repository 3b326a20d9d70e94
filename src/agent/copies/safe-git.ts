import { execFile } from "node:child_process";

/** Nothing that a repository says may be started: no hook, no watcher, no pager, no helper for keys. */
const SAFE = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.pager=cat", "-c", "credential.helper=", "-c", "protocol.allow=never"],
];
const MOST_OUTPUT = 256 * 1024 * 1024;

/** Undefined where git is not there or says no. Programs of filters are started by none of its uses. */
export function safeGit(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...environment } = process.env;
  const env = { ...environment, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  return new Promise((resolve) => {
    execFile(
      "git",
      [...SAFE, ...args],
      { cwd, env, maxBuffer: MOST_OUTPUT, encoding: "utf8" },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}
