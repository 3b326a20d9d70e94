import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { MAX_FILE_BYTES } from "./file-copy.ts";

export interface IgnoreRules {
  readonly key: string;
  readonly matchers: readonly { readonly folder: string; readonly matcher: Ignore }[];
}

export const NO_RULES: IgnoreRules = { key: "", matchers: [] };

export function rulesIn(root: string, folder: string, above: IgnoreRules): IgnoreRules {
  const path = join(root, folder, ".gitignore");
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info?.isFile() !== true || info.size > MAX_FILE_BYTES) return above;
  const key = `${above.key}|${folder} ${info.size} ${info.mtimeMs} ${info.ino}`;
  const matcher = ignore().add(readFileSync(path, "utf8"));
  const own = { folder: folder === "" ? "" : `${folder}/`, matcher };
  return { key, matchers: [own, ...above.matchers] };
}

/** The deepest ignore file that matches decides; a folder's path ends in a slash. */
export function isIgnored(path: string, { matchers }: IgnoreRules): boolean {
  for (const { folder, matcher } of matchers) {
    const { ignored, unignored } = matcher.test(path.slice(folder.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
