import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isInside } from "./project-paths.ts";

const LONGEST_MS = 10_000;
/** Keys, in lower case, whose value git runs, or reads more of its config from. */
const RUN =
  /^(core\.(hookspath|fsmonitor|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand)|include\.path|includeif\..*\.path|filter\..*\.(clean|smudge|process)|diff\.(external|.*\.(textconv|command))|merge\..*\.driver|alias\..*|credential\.(.*\.)?helper|gpg\.(.*\.)?program|sequence\.editor|interactive\.difffilter|(difftool|mergetool|browser|man)\..*\.(cmd|path)|pager\..*|hook\..*\.command|remote\..*\.(uploadpack|receivepack)|submodule\..*\.update|trailer\..*\.(command|cmd))$/;

/**
 * Files and folders of the project that git is told to run, by every config that counts there: where
 * hooks are looked for, and the scripts that filters, drivers and aliases name. They need not exist.
 */
export async function runByGit(root: string): Promise<readonly string[]> {
  const listed = await promisify(execFile)("git", ["config", "-z", "--list"], {
    cwd: root,
    timeout: LONGEST_MS,
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: NodeJS.ErrnoException) => {
    // Without git, or with a config that it cannot read, it runs nothing.
    if (error.code === "ENOENT" || typeof error.code === "number") return { stdout: "" };
    throw error;
  });
  const paths = listed.stdout.split("\0").flatMap((entry) => {
    const end = entry.indexOf("\n");
    const key = entry.slice(0, end).toLowerCase();
    if (end === -1 || !RUN.test(key)) return [];
    const value = entry.slice(end + 1);
    // A folder of hooks, or a further config, is named by its path alone.
    return /path$/.test(key)
      ? [resolve(root, value), ...namedIn(value, root)]
      : namedIn(value, root);
  });
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return [...new Set([...paths, ...real])].filter((path) => path !== root && isInside(root, path));
}

/** The words of a command that may be files of the project: `./filter.sh` of `sh ./filter.sh %f`. */
function namedIn(value: string, root: string): readonly string[] {
  const words = value.replace(/^!/, "").split(/[\s'"=;|&()<>$`]+/);
  return words
    .filter((word) => word !== "" && !word.startsWith("-") && /[./]/.test(word))
    .flatMap((word) => [resolve(root, word), resolve(join(root, ".git"), word)])
    .filter((path) => !isInside(join(root, ".git"), path));
}
