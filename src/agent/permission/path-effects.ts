import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { isInside } from "../tools/project-paths.ts";

/** Of the system and for everybody: reading them tells nothing of this user. */
const COMMON = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib64",
  "/opt/homebrew",
  "/dev/null",
  "/dev/zero",
];
const STREAMS = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd", "/dev/urandom"];

/**
 * The words of a command that lead out of the project, as far as that can be seen: absolute paths
 * that exist or could, the home folder, and `..` that goes above the root.
 */
export function outsideWords(words: readonly string[], projectRoot: string): readonly string[] {
  return words.slice(1).filter((word) => {
    const path = pathIn(word);
    return path !== undefined && leadsOutside(path, projectRoot);
  });
}

/** Whether the path is neither in the project nor one of the places that are everybody's. */
export function leadsOutside(path: string, projectRoot: string): boolean {
  const expanded = expandHome(path);
  const absolute = isAbsolute(expanded) ? resolve(expanded) : resolve(projectRoot, expanded);
  const harmless = [projectRoot, tmpdir(), ...COMMON, ...STREAMS];
  if (harmless.some((folder) => isInside(folder, absolute))) return false;
  if (!isAbsolute(expanded)) return true;
  // `/foo/` may be a pattern: what is a path begins with a folder that is there.
  const [first = ""] = relative("/", absolute).split("/");
  return absolute === "/" || existsSync(join("/", first));
}

function pathIn(word: string): string | undefined {
  const value = /^--?[A-Za-z][\w-]*=(.*)$/.exec(word)?.[1] ?? word;
  const attached = /^-[A-Za-z]([/~].*)$/.exec(value)?.[1] ?? value;
  if (attached.startsWith("-") || attached.includes("://")) return undefined;
  return /^[/~]|(^|\/)\.\.(\/|$)|^\$\{?(HOME|OLDPWD|XDG_\w+)\b/.test(attached)
    ? attached
    : undefined;
}

function expandHome(path: string): string {
  return path.replace(/^(~[^/]*|\$\{?(?:HOME|OLDPWD|XDG_\w+)\}?)/, () => homedir());
}
