import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../shared/package.ts";

/** What cairn's own helper can do on this kernel. */
export interface OwnHelper {
  readonly path: string;
  /** Version of Landlock; below 6 signals to other programs of the user are not held back. */
  readonly landlock: number;
  /** It may mount: what is guarded is read-only, and temporary files are the command's own. */
  readonly namespaces: boolean;
}

/** Before it a file could be emptied that could not be written. */
const LEAST_LANDLOCK = 3;
const SIGNALS_HELD = 6;
const PROBE_MS = 10_000;

/** Where the helper lies in the package; undefined where none was made for this machine. */
export function helperPath(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const path = join(packageRoot(), "native/confine", `linux-${process.arch}`, "confine");
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

/** The helper with what the kernel lets it do, or in words why it confines nothing here. */
export async function findOwnHelper(): Promise<OwnHelper | string> {
  const path = helperPath();
  if (path === undefined) return "cairn has no helper for this machine";
  const { stdout } = await promisify(execFile)(path, ["--probe"], { timeout: PROBE_MS });
  const told = new Map(
    stdout.split("\n").map((line) => line.split(" ", 2) as [string, string | undefined]),
  );
  const landlock = Number(told.get("landlock"));
  if (!(landlock >= LEAST_LANDLOCK)) return "this kernel has no Landlock that confines enough";
  return { path, landlock, namespaces: told.get("namespaces") === "1" };
}

/** What does not hold as it does under bubblewrap, in words; empty: nothing. */
export function weaknessesOf({ landlock, namespaces }: OwnHelper): readonly string[] {
  return [
    ...(namespaces ? [] : ["what git and editors act upon in the project can be changed"]),
    ...(landlock >= SIGNALS_HELD ? [] : ["signals reach other programs of yours"]),
  ];
}

/** `cairn's helper (Landlock 7, seccomp)`, and what is weaker. */
export function labelOf(helper: OwnHelper): string {
  const weak = weaknessesOf(helper);
  const told = weak.length === 0 ? "" : `; weaker: ${weak.join(", ")}`;
  return `cairn's helper (Landlock ${helper.landlock}, seccomp${told})`;
}
