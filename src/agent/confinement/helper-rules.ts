import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FilesystemRules } from "../sandbox/sandbox-messages.ts";
import { isInside } from "../tools/project-paths.ts";

export interface HelperWish {
  readonly filesystem: FilesystemRules;
  readonly readOnly: boolean;
  /** The person's keys of git and ssh are readable. */
  readonly keys: boolean;
  /** In the project, what others act upon. */
  readonly kept: readonly string[];
  /** A private folder in the place of the machine's own for temporary files. */
  readonly temporary: { readonly place: string; readonly shared: string } | undefined;
  readonly namespaces: boolean;
  /** Of this machine. */
  readonly ports: readonly number[];
}

const DEVICES = ["null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts"];
/** Devices are named one by one; the rest of the folder holds the disks. */
const NOT_WALKED = new Set(["/dev"]);
/** A folder with more entries than these, some of them hidden, is hidden as a whole. */
const MOST_ENTRIES = 20_000;

/** The records that the helper reads: see `native/confine/confine.c`. */
export function helperRules(wish: HelperWish): readonly string[] {
  const { filesystem, temporary, namespaces } = wish;
  const opened = new Set(wish.keys ? filesystem.keys : []);
  const hidden = realPaths([
    ...filesystem.denyRead.filter((path) => !opened.has(path)),
    ...(temporary === undefined ? [] : [temporary.shared, "/tmp"]),
  ]);
  const shown = realPaths([...filesystem.allowRead, ...opened]);
  const readable = [...readableBelow("/", { hidden, shown })];
  const writable = wish.readOnly ? [] : realPaths(filesystem.allowWrite);
  const guarded = wish.readOnly ? [] : realPaths([...filesystem.denyWrite, ...wish.kept]);
  const inside = guarded.filter((path) => writable.some((root) => isInside(root, path)));
  return [
    ...readable.map((path) => `r${path}`),
    ...writable.map((path) => `w${path}`),
    ...DEVICES.map((name) => `d/dev/${name}`),
    ...wish.ports.map((port) => `p${port}`),
    ...(namespaces ? ["N", ...pinned(inside, writable).map((path) => `m${path}`)] : []),
    ...(namespaces ? inside.map((path) => `g${path}`) : []),
    ...(temporary === undefined
      ? []
      : placeOf(temporary, { own: [...writable, ...shown], namespaces })),
  ];
}

function placeOf(
  { place, shared }: NonNullable<HelperWish["temporary"]>,
  { own, namespaces }: { readonly own: readonly string[]; readonly namespaces: boolean },
): readonly string[] {
  if (!namespaces) return [`w${place}`];
  const [machines = shared] = realPaths([shared]);
  const below = [...new Set(own)].filter((path) => path !== machines && isInside(machines, path));
  const outermost = below.filter(
    (path) => !below.some((one) => one !== path && isInside(one, path)),
  );
  return [`T${machines}`, `t${place}`, ...outermost.map((path) => `b${path}`)];
}

/** The folders above what is guarded, up to where commands write; those above first. */
function pinned(guarded: readonly string[], writable: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of guarded) {
    for (let at = dirname(path); writable.some((root) => at !== root && isInside(root, at)); ) {
      found.add(at);
      at = dirname(at);
    }
  }
  return [...found].sort((a, b) => a.length - b.length);
}

interface Sight {
  readonly hidden: readonly string[];
  readonly shown: readonly string[];
}

/**
 * What may be read below a folder: Landlock only allows, and always with everything below, so a folder
 * that holds something hidden is allowed by its entries. Links are not: they are followed to where they
 * lead, and there it is asked again.
 */
function* readableBelow(path: string, sight: Sight): Generator<string> {
  if (NOT_WALKED.has(path)) return;
  const shownBelow = sight.shown.filter((one) => one !== path && isInside(path, one));
  if (sight.hidden.includes(path)) {
    for (const one of shownBelow) yield* readableBelow(one, withShown(sight, one));
    return;
  }
  if (!sight.hidden.some((one) => isInside(path, one))) {
    yield path;
    return;
  }
  for (const entry of entriesOf(path)) yield* readableBelow(join(path, entry), sight);
}

/** What is shown by its own name is so although it is hidden by that name, too. */
function withShown({ hidden, shown }: Sight, one: string): Sight {
  return { hidden: hidden.filter((path) => path !== one), shown };
}

function entriesOf(path: string): readonly string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    if (entries.length > MOST_ENTRIES) return [];
    return entries.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => name);
  } catch {
    // No folder, or not to be read by this user, whose commands could not either.
    return [];
  }
}

function realPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.filter(existsSync).map((path) => realpathSync(path)))];
}
