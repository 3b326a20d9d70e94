import { gitOutput } from "../../ingest/sources/index.ts";

/** A file that was renamed more often is asked for by its latest names. */
const MOST_NAMES = 5;

/**
 * What a file was called before, newest first, as far as it lay in the folder: a rename that is
 * staged, then those of the history. Neither reads the work tree, which the repository's own filters
 * would see.
 */
export async function earlierNames(folder: string, file: string): Promise<readonly string[]> {
  const shown = ["--relative", "--no-ext-diff", "--no-textconv", "-M", "--name-status", "-z"];
  const staged = await gitOutput(folder, ["diff-index", "--cached", ...shown, "HEAD"]);
  const [before] = renamesIn(staged.text).filter(({ to }) => to === file);
  const committed = before?.from ?? file;
  const history = await gitOutput(folder, [
    ...["log", "--follow", "--format=", "--diff-filter=R", ...shown, "--", committed],
  ]);
  const names = before === undefined ? [] : [before.from];
  let current = committed;
  for (const { from, to } of renamesIn(history.text)) {
    if (to !== current) continue;
    current = from;
    names.push(from);
  }
  return [...new Set(names)].filter((name) => name !== file).slice(0, MOST_NAMES);
}

/** `R<similarity> NUL from NUL to NUL`, one after the other; other changes have one name. */
function renamesIn(text = ""): readonly { readonly from: string; readonly to: string }[] {
  const words = text.split("\0").map((word) => word.replace(/^\n+/, ""));
  const renames: { from: string; to: string }[] = [];
  for (let at = 0; at < words.length; ) {
    const isPair = /^[RC]\d*$/.test(words[at] ?? "");
    const [, from, to] = words.slice(at, at + 3);
    if (isPair && from !== undefined && to !== undefined) renames.push({ from, to });
    at += isPair ? 3 : 2;
  }
  return renames;
}
