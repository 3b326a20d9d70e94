import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { safeGit } from "./safe-git.ts";

interface Texts {
  readonly mine: string;
  /** What both began with. */
  readonly before: string;
  readonly theirs: string;
}

/** Both changes in one text; undefined where they concern the same lines, or git is not there. */
export async function mergeTexts({ mine, before, theirs }: Texts): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-merge-"));
  try {
    const sides = { mine, before, theirs };
    for (const [name, text] of Object.entries(sides)) await writeFile(join(folder, name), text);
    return await safeGit(folder, ["merge-file", "-p", "--", "mine", "before", "theirs"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
