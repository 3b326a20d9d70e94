import { execFileSync } from "node:child_process";

export { writeSession } from "../../bench/support/newcomer-path.ts";

export function createGitRunner(folder: string): (...args: string[]) => void {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const git = (...args: string[]) => void execFileSync("git", [...who, ...args], { cwd: folder });
  git("init", "--quiet");
  return git;
}
