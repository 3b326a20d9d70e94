import { existsSync, readdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { isInside } from "../../shared/is-inside.ts";
import { physicalPath, withTarget } from "../../shared/physical-path.ts";
import type { ReadCommand } from "./command-reading.ts";

const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt/homebrew"];
/** Readable devices. Endless ones could fill the disk or memory. */
const STREAM_DEVICE = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;
const ENDLESS_DEVICE = /^\/dev\/(zero|u?random|full)$/;
const BOUNDED_READER = "head";
/** Programs that write to the files they name. */
const COPIERS = new Set(["cp", "mv", "ln", "install", "tee", "touch", "mkdir", "chmod", "chown"]);

export interface FolderContext {
  readonly projectRoot: string;
  /** The start folder and every folder that an earlier `cd` may have led to. */
  readonly folders: readonly string[];
}

/** Words and redirections that lead out of the project, also through links and patterns. */
export function outsideWords(command: ReadCommand, where: FolderContext): readonly string[] {
  const [program = "", ...words] = command.words;
  const harmless = COPIERS.has(program) ? [] : SYSTEM_FOLDERS;
  const isJudged = (path: string) => program !== BOUNDED_READER || !ENDLESS_DEVICE.test(path);
  const named = words.filter(isJudged).flatMap((word) => {
    const path = pathsIn(word).find((one) => leadsTo(one, where, { harmless }));
    return path === undefined ? [] : [wordWithTarget(word, path, where)];
  });
  const read = command.reads
    .filter(isJudged)
    .flatMap((path) =>
      leadsTo(path, where, { harmless: SYSTEM_FOLDERS }) ? [wordWithTarget(path, path, where)] : [],
    );
  const found = command.globs.filter((pattern) => patternLeadsOutside(pattern, where));
  return [...named, ...read, ...found];
}

function wordWithTarget(word: string, path: string, { folders }: FolderContext): string {
  const expanded = expandHome(path);
  if (expanded.includes("\0")) return word;
  const named = isAbsolute(expanded) ? expanded : `${folders[0]}/${expanded}`;
  return withTarget(word, { named: resolve(named), real: physicalPath(named) });
}

export function writesOutside(path: string, where: FolderContext): boolean {
  return leadsTo(path, where, { harmless: [] });
}

interface JudgedPaths {
  /** Folders outside of the project that count as inside. */
  readonly harmless: readonly string[];
}

function leadsTo(
  path: string,
  { projectRoot, folders }: FolderContext,
  judged: JudgedPaths,
): boolean {
  const expanded = expandHome(path);
  if (expanded.includes("\0")) return true;
  const inside = [projectRoot, tmpdir(), physicalPath(tmpdir()), ...judged.harmless];
  const isHarmless = (candidate: string) => inside.some((folder) => isInside(folder, candidate));
  if (isAbsolute(expanded)) {
    const absolute = resolve(expanded);
    if (STREAM_DEVICE.test(absolute)) return false;
    const isNamedPlainly = isInside(projectRoot, absolute) || /(^|\/)\.\.(\/|$)/.test(expanded);
    const mayDiffer = isNamedPlainly || judged.harmless.length === 0;
    if (isHarmless(physicalPath(expanded)) && (!mayDiffer || isHarmless(absolute))) return false;
    // `/foo/` may be a pattern: a path begins with an existing folder.
    const [first = ""] = relative("/", absolute).split("/");
    return absolute === "/" || existsSync(join("/", first));
  }
  return folders.some((folder) => {
    const way = `${folder}/${expanded}`;
    return !isHarmless(physicalPath(way)) || !isHarmless(resolve(way));
  });
}

const MAX_ENTRIES = 5_000;

/** Each entry counts as matched, which may ask too often but never too rarely. */
function patternLeadsOutside(pattern: string, where: FolderContext): boolean {
  const expanded = expandHome(pattern);
  const starts = isAbsolute(expanded) ? ["/"] : where.folders;
  let places: readonly string[] = starts;
  for (const segment of expanded.split("/").filter((part) => part !== "" && part !== ".")) {
    if (!/[*?[]/.test(segment)) {
      places = places.map((path) => `${path}/${segment}`);
      continue;
    }
    // `.*` matches `..` in some shells.
    if (segment.startsWith(".")) return true;
    if (places.some((path) => leadsTo(path, where, { harmless: SYSTEM_FOLDERS }))) return true;
    places = places.flatMap(listEntries);
    if (places.length > MAX_ENTRIES) return true;
    if (places.some((path) => leadsTo(path, where, { harmless: SYSTEM_FOLDERS }))) return true;
  }
  return places.some((path) => leadsTo(path, where, { harmless: SYSTEM_FOLDERS }));
}

function listEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

/** Possible folders after a `cd`, including the former one. Undefined if unknown. */
export function foldersAfterChange(
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

function pathsIn(argument: string): readonly string[] {
  const word = argument.startsWith('"$') ? argument.replaceAll('"', "") : argument;
  const value = /^--?[A-Za-z][\w-]*=(.*)$/s.exec(word)?.[1] ?? word;
  const attached = /^-[A-Za-z](.+)$/s.exec(value)?.[1] ?? value;
  return [value, attached].filter((path) => path !== "" && !path.startsWith("-"));
}

function expandHome(path: string): string {
  return path.replace(/^(~[^/]*|\$\{?(?:HOME|OLDPWD|XDG_\w+)\}?)/, (start) =>
    start === "~+" ? "." : homedir(),
  );
}
