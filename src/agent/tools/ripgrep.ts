import { spawn } from "node:child_process";
import { relative } from "node:path";
import { invalidInput } from "../../shared/errors.ts";
import { literalBrackets } from "./glob-pattern.ts";
import { isInside } from "./project-paths.ts";

/** A search of a huge project on a cold disk ends before this; milliseconds. */
const LONGEST_SEARCH = 60_000;

export interface RipgrepSearch {
  readonly root: string;
  readonly target: string;
  readonly pattern: string;
  readonly glob: string | undefined;
  readonly context: number;
  readonly maxMatches: number;
  readonly signal: AbortSignal;
  /** Real paths of what is not looked into. */
  readonly leftOut: readonly string[];
}

/** Signs that mean something in a pattern stand for any character. */
function without(path: string, root: string): string {
  return `--glob=!/${relative(root, path).replaceAll(/[*?[\]{}!\\]/g, "?")}`;
}

/** The output of ripgrep in lines, the first of them. Throws invalid_input for a bad pattern. */
export async function runRipgrep(
  program: string,
  search: RipgrepSearch,
): Promise<readonly string[]> {
  const { root, target, pattern, glob, context, maxMatches, signal } = search;
  const options = ["--no-config", "--line-number", "--no-heading", "--with-filename", "--hidden"];
  const limits = ["--color=never", "--max-columns=500", "--max-columns-preview", "--sort=path"];
  const around = context > 0 ? [`--context=${context}`] : [];
  const literal = glob === undefined ? undefined : literalBrackets(glob);
  const globs = [glob, literal].filter((one) => one !== undefined);
  const narrowed = globs.map((one) => `--glob=${one}`);
  const place = relative(root, target);
  const child = spawn(
    program,
    [
      ...options,
      ...limits,
      ...around,
      ...narrowed,
      // After the given pattern: the last matching glob decides.
      "--glob=!.git",
      ...search.leftOut.filter((path) => isInside(root, path)).map((path) => without(path, root)),
      `--regexp=${pattern}`,
      "--",
      place === "" ? "." : place,
    ],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"], signal, timeout: LONGEST_SEARCH },
  );
  const lines: string[] = [];
  const maxLines = maxMatches * (1 + 2 * context);
  let rest = "";
  let problem = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((line) => line.replace(/^\.\//, "")));
    if (lines.length > maxLines) child.kill();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    problem = (problem + text).slice(0, 2000);
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  signal.throwIfAborted();
  // 1: nothing found; 2 with results: some file could not be read.
  if (exitCode === 2 && lines.length === 0) throw invalidInput(`pattern: ${problem.trim()}`);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), "(more left out; narrow the search)"];
}
