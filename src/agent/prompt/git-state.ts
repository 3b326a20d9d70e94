import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { shortenLine } from "../../shared/text.ts";
import { fence } from "../documents/fence.ts";
import { isHarmlessRepository } from "../permission/repository-config.ts";

/** A prompt does not wait longer for git. */
const PATIENCE_MS = 2_000;
const MOST_OUTPUT = 4 * 1024 * 1024;
const COMMITS = 3;
/** Characters of a name or a subject, which others wrote. */
const LONGEST = 80;

/**
 * Where git stood when the conversation began: branch, changes, the last subjects. Empty without a
 * repository, and where its config would make git run something.
 */
export async function gitSection(projectRoot: string, signal?: AbortSignal): Promise<string> {
  if (!isHarmlessRepository(projectRoot)) return "";
  const git = (...args: string[]) => printedBy(projectRoot, args, signal);
  const [status, log] = await Promise.all([
    git("status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--", "."),
    git("log", `--max-count=${COMMITS}`, "--format=%s"),
  ]);
  if (status === undefined) return "";
  const lines = status.split("\n").filter((line) => line !== "");
  const branch = lines.find((line) => line.startsWith("# branch.head "))?.slice(14) ?? "?";
  const changed = lines.filter((line) => !line.startsWith("#")).length;
  const work = changed === 0 ? "nothing is uncommitted" : `files uncommitted: ${changed}`;
  const subjects = (log ?? "").split("\n").filter((line) => line !== "");
  const said = subjects.map((subject) => shortenLine(subject, LONGEST)).join("\n");
  const last = said === "" ? "" : ` Its last commits:\n\n${fence("commits", said)}`;
  return `# Git\n\nWhen this conversation began: on ${shortenLine(branch, LONGEST)}, ${work}.${last}`;
}

async function printedBy(
  cwd: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const quiet = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "--no-optional-locks"];
  const run = promisify(execFile)("git", [...quiet, ...args], {
    cwd,
    timeout: PATIENCE_MS,
    maxBuffer: MOST_OUTPUT,
    windowsHide: true,
    ...(signal !== undefined && { signal }),
  });
  // No repository, no git, no commit yet, or one so large that it is not waited for.
  const { stdout } = await run.catch(() => ({ stdout: undefined }));
  signal?.throwIfAborted();
  return stdout;
}
