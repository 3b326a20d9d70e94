import { execFileSync } from "node:child_process";

export { leaveSession } from "../../bench/support/newcomer-path.ts";

/** Makes a repository of a folder; further commands of git run in it. */
export function inGit(folder: string): (...args: string[]) => void {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const git = (...args: string[]) => void execFileSync("git", [...who, ...args], { cwd: folder });
  git("init", "--quiet");
  return git;
}
