import { once } from "node:events";
import { invalidInput } from "../kernel/errors.ts";
import { gitProcess } from "../sources/index.ts";
import { type ChangedFile, changedFiles } from "./changed-file.ts";

/** A larger change is reviewed in parts. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface ChangeWish {
  /** A folder in the work tree. */
  readonly folder: string;
  /** `main...HEAD`, `HEAD~3..`, a commit to compare the work tree with; absent: the last one. */
  readonly range?: string | undefined;
}

/** What a range changes, with paths from the top of the work tree. Throws invalid_input. */
export async function readChange({
  folder,
  range = "HEAD",
}: ChangeWish): Promise<readonly ChangedFile[]> {
  if (range.startsWith("-")) throw invalidInput(`range: "${range}" is no range of commits.`);
  const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/"];
  const git = gitProcess(folder, [
    ...["diff", "--unified=0", "--find-renames", ...plain, "--dst-prefix=b/"],
    range,
    "--",
  ]);
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
  if (size > MOST_BYTES) throw invalidInput("range: the change is too large; review parts of it.");
  if (code !== 0) {
    const reason = told.trim().split("\n")[0] ?? "";
    throw invalidInput(`range: git cannot show "${range}" (${reason || "git failed"}).`);
  }
  return changedFiles(Buffer.concat(parts).toString("utf8"));
}
