import { invalidInput } from "../../shared/errors.ts";
import { gitOutput } from "../sources/index.ts";
import { type ChangedFile, changedFiles } from "./changed-file.ts";

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
  const { text, told } = await gitOutput(folder, [
    ...["diff", "--unified=0", "--find-renames", ...plain, "--dst-prefix=b/"],
    range,
    "--",
  ]);
  if (text === undefined) throw invalidInput(`range: git cannot show "${range}" (${told}).`);
  return changedFiles(text);
}
