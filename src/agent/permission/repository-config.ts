import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isHarmlessGitConfig } from "../tools/harmless-git-config.ts";

const MAX_CONFIG_BYTES = 256 * 1024;

/**
 * Whether no config of the repository that a folder belongs to makes git run a program when it only
 * reads: monitors, filters and converters of text. Hooks and aliases do not count, since no command
 * that reads runs them. What cannot be read or understood counts as harmful.
 */
export function isHarmlessRepository(folder: string): boolean {
  const gitFolder = repositoryOf(folder);
  if (gitFolder === undefined) return true;
  if (gitFolder === "unknown") return false;
  const common = textOf(join(gitFolder, "commondir"));
  if (common === "unreadable") return false;
  const folders =
    common === undefined ? [gitFolder] : [gitFolder, resolve(gitFolder, common.trim())];
  const files = folders.flatMap((one) => [join(one, "config"), join(one, "config.worktree")]);
  return files.every((file) => {
    const text = textOf(file);
    if (text === undefined) return true;
    return text !== "unreadable" && isHarmlessGitConfig(text, "reading");
  });
}

/** As git finds it: `.git` of the folder or of one above it, or a bare repository. */
function repositoryOf(folder: string): string | "unknown" | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, ".git");
    const info = lstatSync(git, { throwIfNoEntry: false });
    if (info?.isDirectory() === true) return git;
    if (info !== undefined) {
      const text = info.isFile() ? textOf(git) : undefined;
      const named = /^gitdir: (.+?)\s*$/.exec(text ?? "")?.[1];
      return named === undefined ? "unknown" : resolve(at, named);
    }
    const isBare = ["HEAD", "objects", "refs"].every((name) =>
      lstatSync(join(at, name), { throwIfNoEntry: false }),
    );
    if (isBare) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Undefined: there is no such file. */
function textOf(path: string): string | "unreadable" | undefined {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return undefined;
  if (!info.isFile() || info.size > MAX_CONFIG_BYTES) return "unreadable";
  return readFileSync(path, "utf8");
}
