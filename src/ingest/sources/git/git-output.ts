import { once } from "node:events";
import { gitProcess } from "./git-process.ts";

/** The most bytes that are read of one answer. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface GitOutput {
  /** Undefined if git failed or printed too much; `told` says why. */
  readonly text: string | undefined;
  readonly told: string;
}

/** Git's output. Git is run so that nothing of the repository is executed. */
export async function gitOutput(folder: string, args: readonly string[]): Promise<GitOutput> {
  const git = gitProcess(folder, args);
  const parts: Buffer[] = [];
  let size = 0;
  let told = "";
  git.stdout.on("data", (part: Buffer) => {
    size += part.length;
    if (size > MOST_BYTES) git.kill();
    else parts.push(part);
  });
  git.stderr.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  const [code] = (await once(git, "close")) as [number | null];
  if (size > MOST_BYTES) return { text: undefined, told: "it has more than 64 MiB to say" };
  if (code !== 0) return { text: undefined, told: told.trim().split("\n")[0] || "git failed" };
  return { text: Buffer.concat(parts).toString("utf8"), told };
}
