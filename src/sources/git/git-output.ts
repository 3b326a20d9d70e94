import { once } from "node:events";
import { gitProcess } from "./git-process.ts";

/** More than this of one answer is not read. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface GitOutput {
  /** Undefined where git said no, or too much; `told` says why. */
  readonly text: string | undefined;
  readonly told: string;
}

/** What git prints; nothing of the repository is run for it. */
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
