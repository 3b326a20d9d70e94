import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { invalidInput } from "../../../shared/errors.ts";
import { disableFilters, startGit } from "../../../shared/safe-git.ts";

const MAX_BYTES = 64 * 1024 * 1024;

interface GitOutput {
  /** Undefined if git failed or printed too much; see `told`. */
  readonly text: string | undefined;
  readonly lastLine: string;
}

export async function gitOutput(folder: string, args: readonly string[]): Promise<GitOutput> {
  const readsWorkTree = args[0] === "diff";
  const git = gitProcess(folder, args, readsWorkTree ? await disableFilters(folder) : []);
  const parts: Buffer[] = [];
  let size = 0;
  let stderr = "";
  git.stdout.on("data", (part: Buffer) => {
    size += part.length;
    if (size > MAX_BYTES) git.kill();
    else parts.push(part);
  });
  git.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(git, "close")) as [number | null];
  if (size > MAX_BYTES) return { text: undefined, lastLine: "its output exceeds 64 MiB" };
  if (code !== 0)
    return { text: undefined, lastLine: stderr.trim().split("\n")[0] || "git failed" };
  return { text: Buffer.concat(parts).toString("utf8"), lastLine: stderr };
}

/** Returns the last line of git's output. Throws invalid_input if there is no history. */
export async function lastGitLine(folder: string, args: readonly string[]): Promise<string> {
  const git = gitProcess(folder, args);
  let printed = "";
  let stdout = "";
  git.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  git.stderr.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const [code] = (await once(git, "close")) as [number | null];
  if (code !== 0) {
    throw invalidInput(
      `file: there is no git history in ${folder} (${stdout.trim().split("\n")[0] || "git failed"})`,
    );
  }
  return printed.trim().split("\n").at(-1) ?? "";
}

/** Runs git with every option off that would execute programs named by the repository. */
export function gitProcess(
  folder: string,
  args: readonly string[],
  config: readonly string[] = [],
) {
  const git = startGit(args, {
    cwd: folder,
    config: ["-c", "core.quotePath=false", ...config],
    stdio: ["ignore", "pipe", "pipe"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  git.on("error", (error) => git.stdout.destroy(error));
  return git;
}
