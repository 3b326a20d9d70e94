import { existsSync, readdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { isInside } from "../../shared/is-inside.ts";
import { physicalPath, withTarget } from "../../shared/physical-path.ts";
import type { ReadCommand } from "./command-reading.ts";

const COMMON = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt/homebrew"];
/**
 * By their whole name: what lies below them is what was opened, a folder too. Devices that never end, such as `/dev/zero`, are
 * not among them: a command that only reads can fill the disk or the memory from them.
 */
const STREAM = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;
const ENDLESS = /^\/dev\/(zero|u?random|full)$/;
/** Reads no more than a part of what it names. */
const BOUNDED = "head";
/** They write what they name: nothing of the system is everybody's to them. */
const COPIERS = new Set(["cp", "mv", "ln", "install", "tee", "touch", "mkdir", "chmod", "chown"]);

/** Where a command may be when it runs, and what it must not leave. */
export interface Whereabouts {
  /** Real path. */
  readonly projectRoot: string;
  /** Every folder that a `cd` before it may have led to, and the one that it begins in. */
  readonly folders: readonly string[];
}

/**
 * The words and redirections of a command that lead out of the project, as far as that can be seen:
 * absolute paths that exist or could, the home folder, `..` that goes above the root, links, and
 * patterns that match a link.
 */
export function outsideWords(command: ReadCommand, where: Whereabouts): readonly string[] {
  const [program = "", ...words] = command.words;
  const harmless = COPIERS.has(program) ? [] : COMMON;
  const isJudged = (path: string) => program !== BOUNDED || !ENDLESS.test(path);
  const named = words.filter(isJudged).flatMap((word) => {
    const path = pathsIn(word).find((one) => leadsTo(one, where, { harmless }));
    return path === undefined ? [] : [wordWithTarget(word, path, where)];
  });
  const read = command.reads
    .filter(isJudged)
    .flatMap((path) =>
      leadsTo(path, where, { harmless: COMMON }) ? [wordWithTarget(path, path, where)] : [],
    );
  const found = command.globs.filter((pattern) => patternLeadsOutside(pattern, where));
  return [...named, ...read, ...found];
}

function wordWithTarget(word: string, path: string, { folders }: Whereabouts): string {
  const expanded = expandHome(path);
  if (expanded.includes("\0")) return word;
  const named = isAbsolute(expanded) ? expanded : `${folders[0]}/${expanded}`;
  return withTarget(word, { named: resolve(named), real: physicalPath(named) });
}

/** True if a file that is written there is not in the project. */
export function writesOutside(path: string, where: Whereabouts): boolean {
  return leadsTo(path, where, { harmless: [] });
}

interface Judged {
  /** Folders, beside the project's, that count as inside. */
  readonly harmless: readonly string[];
}

function leadsTo(path: string, { projectRoot, folders }: Whereabouts, judged: Judged): boolean {
  const expanded = expandHome(path);
  if (expanded.includes("\0")) return true;
  const inside = [projectRoot, tmpdir(), physicalPath(tmpdir()), ...judged.harmless];
  const isHarmless = (place: string) => inside.some((folder) => isInside(folder, place));
  if (isAbsolute(expanded)) {
    const absolute = resolve(expanded);
    if (STREAM.test(absolute)) return false;
    const isNamedPlainly = isInside(projectRoot, absolute) || /(^|\/)\.\.(\/|$)/.test(expanded);
    const mayDiffer = isNamedPlainly || judged.harmless.length === 0;
    if (isHarmless(physicalPath(expanded)) && (!mayDiffer || isHarmless(absolute))) return false;
    // `/foo/` may be a pattern: what is a path begins with a folder that is there.
    const [first = ""] = relative("/", absolute).split("/");
    return absolute === "/" || existsSync(join("/", first));
  }
  return folders.some((folder) => {
    const way = `${folder}/${expanded}`;
    return !isHarmless(physicalPath(way)) || !isHarmless(resolve(way));
  });
}

/** More entries than these are not looked through for links. */
const MAX_ENTRIES = 5_000;

/**
 * True if one of the files that a pattern may match lies outside. Every entry counts as matched:
 * that
 * asks once too often, and never too rarely.
 */
function patternLeadsOutside(pattern: string, where: Whereabouts): boolean {
  const expanded = expandHome(pattern);
  const starts = isAbsolute(expanded) ? ["/"] : where.folders;
  let places: readonly string[] = starts;
  for (const segment of expanded.split("/").filter((part) => part !== "" && part !== ".")) {
    if (!/[*?[]/.test(segment)) {
      places = places.map((place) => `${place}/${segment}`);
      continue;
    }
    // `.*` is `..` to some shells.
    if (segment.startsWith(".")) return true;
    if (places.some((place) => leadsTo(place, where, { harmless: COMMON }))) return true;
    places = places.flatMap(entriesOf);
    if (places.length > MAX_ENTRIES) return true;
    if (places.some((place) => leadsTo(place, where, { harmless: COMMON }))) return true;
  }
  return places.some((place) => leadsTo(place, where, { harmless: COMMON }));
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch {
    // No folder: nothing is matched below it.
    return [];
  }
}

/**
 * The folders that a command may be in after a `cd`; undefined where that cannot be told. Before a
 * `cd` that may fail it is where it was.
 */
export function afterChange(
  command: ReadCommand,
  folders: readonly string[],
): readonly string[] | undefined {
  const operands = command.words.slice(1).filter((word) => word !== "--");
  const [target] = operands;
  const isKnown = command.unknown.length === 0 && command.globs.length === 0;
  if (!isKnown || operands.length !== 1 || target === undefined || /^-/.test(target)) {
    return undefined;
  }
  const to = expandHome(target);
  const found = folders.flatMap((folder) => {
    const way = isAbsolute(to) ? to : `${folder}/${to}`;
    return [resolve(way), physicalPath(way)];
  });
  const all = [...new Set([...folders, ...found])];
  return all.length > MAX_FOLDERS ? undefined : all;
}

const MAX_FOLDERS = 24;

function pathsIn(given: string): readonly string[] {
  const word = given.startsWith('"$') ? given.replaceAll('"', "") : given;
  const value = /^--?[A-Za-z][\w-]*=(.*)$/s.exec(word)?.[1] ?? word;
  const attached = /^-[A-Za-z](.+)$/s.exec(value)?.[1] ?? value;
  return [value, attached].filter((path) => path !== "" && !path.startsWith("-"));
}

function expandHome(path: string): string {
  return path.replace(/^(~[^/]*|\$\{?(?:HOME|OLDPWD|XDG_\w+)\}?)/, (start) =>
    start === "~+" ? "." : homedir(),
  );
}
