import { stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { isInside } from "../../shared/is-inside.ts";
import { startProgram } from "../../shared/programs.ts";
import { stripControl } from "../../shared/text.ts";
import { runWorker } from "../../shared/worker.ts";
import { defineTool, type Tool } from "./define-tool.ts";
import { globMatcher, literalBrackets } from "./glob-pattern.ts";
import {
  checkPattern,
  type FilesJob,
  readLines,
  type SearchJob,
  showMatches,
} from "./line-matches.ts";
import { walkProject } from "./walk-project.ts";

const MAX_FILES = 1_000;

export const globTool = defineTool({
  name: "glob",
  description:
    "Lists files by path pattern, such as `src/**/*.ts`, `*.{md,txt}` or `app/[id]/*`; ignored " +
    "files are skipped. A pattern without a slash matches names at any depth.",
  readOnly: true,
  input: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().min(1).optional().describe("Folder to look in; default: the project."),
  }),
  uses: ({ path = "." }) => [{ kind: "read", path }],
  async run({ paths, signal }, { pattern, path = "." }) {
    const folder = await paths.forReading(path);
    const info = await stat(folder.absolute).catch(() => undefined);
    if (!info?.isDirectory()) throw notFound(`There is no folder "${folder.shown}".`);
    const project = (await paths.forReading(".")).absolute;
    const root = isInside(project, folder.absolute) ? project : folder.absolute;
    const prefix = relative(root, folder.absolute).length;
    const list = async (requested: string): Promise<readonly string[]> => {
      const matches = globMatcher(requested);
      const files: string[] = [];
      for await (const file of walkProject({ root, start: folder.absolute, signal })) {
        if (!matches(prefix === 0 ? file : file.slice(prefix + 1))) continue;
        if (files.length === MAX_FILES) {
          return [...files, `(more than ${MAX_FILES} files; narrow the pattern)`];
        }
        files.push(file);
      }
      return files;
    };
    const literal = literalBrackets(pattern);
    const exact = literal === undefined ? [] : await list(literal);
    const found = exact.length > 0 ? exact : await list(pattern);
    const count = `${found.length} ${found.length === 1 ? "file" : "files"}`;
    if (found.length === 0) return { text: `No file matches ${pattern}.`, summary: count };
    return { text: found.join("\n"), summary: `${pattern}: ${count}` };
  },
});

const MAX_RIPGREP_MS = 60_000;

/** Special characters match any character. */
function excludeGlob(path: string, root: string): string {
  return `--glob=!/${relative(root, path).replaceAll(/[*?[\]{}!\\]/g, "?")}`;
}

/**
 * ripgrep reports files and line numbers; the text is read through the real path, so a folder that
 * is replaced by a link meanwhile leads nowhere. Throws invalid_input for an invalid pattern.
 */
async function searchByRipgrep(program: string, search: Search): Promise<readonly string[]> {
  const { root, target, pattern, glob, context, signal } = search;
  const options = ["--no-config", "--line-number", "--no-heading", "--with-filename", "--hidden"];
  const output = ["--color=never", "--null", "--max-columns=1", "--sort=path"];
  const literal = glob === undefined ? undefined : literalBrackets(glob);
  const globs = [glob, literal].filter((one) => one !== undefined);
  const narrowed = globs.map((one) => `--glob=${one}`);
  const location = relative(root, target);
  const child = startProgram(
    program,
    [
      ...options,
      ...output,
      ...narrowed,
      // After the given pattern: the last matching glob decides.
      "--glob=!.git",
      ...search.leftOut
        .filter((path) => isInside(root, path))
        .map((path) => excludeGlob(path, root)),
      `--regexp=${pattern}`,
      "--",
      location === "" ? "." : location,
    ],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"], signal, timeout: MAX_RIPGREP_MS },
  );
  const found = new Map<string, number[]>();
  let count = 0;
  let rest = "";
  let problem = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [path = "", number] = line.split("\0");
      if (number === undefined || count === MAX_MATCHES) continue;
      const file = path.replace(/^\.\//, "");
      found.set(file, [...(found.get(file) ?? []), Number.parseInt(number, 10) - 1]);
      count += 1;
    }
    if (count === MAX_MATCHES) child.kill();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    problem = (problem + text).slice(0, 2000);
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  signal.throwIfAborted();
  // 1: nothing found; 2 with results: a file could not be read.
  if (exitCode === 2 && count === 0) throw invalidInput(`pattern: ${problem.trim()}`);
  const shownLines: string[] = [];
  for (const [shown, numbers] of found) {
    const lines = await readLines(join(root, shown));
    const matches = numbers.filter((number) => number < lines.length);
    showMatches(shownLines, { shown, lines, matches, context });
  }
  return count < MAX_MATCHES ? shownLines : [...shownLines, `(the first ${MAX_MATCHES} matches)`];
}

const SEARCH_WORKER = new URL("./search.worker.ts", import.meta.url);
const MAX_SEARCH_MS = 30_000;

interface FileSearch extends FilesJob {
  readonly signal: AbortSignal;
}

/**
 * Returns lines `path:line:text`. A worker reads and matches, so that other threads are not
 * blocked. Throws busy.
 */
async function searchFiles({ signal, ...job }: FileSearch): Promise<readonly string[]> {
  const lines = await runWorker({
    source: SEARCH_WORKER,
    data: { kind: "files", ...job } satisfies SearchJob,
    signal,
    timeoutMs: MAX_SEARCH_MS,
    tooLong: `The search took longer than ${MAX_SEARCH_MS} ms: narrow it.`,
  });
  return lines as readonly string[];
}

const MAX_MATCHES = 300;
const MAX_CHARACTERS = 60_000;

export function grepTool(ripgrep: string | undefined): Tool {
  return defineTool({
    name: "grep",
    description:
      "Searches project files with a regular expression; returns `path:line:text`. Ignored files " +
      "are skipped. `glob` selects files, `context` adds lines around each match.",
    readOnly: true,
    input: z.strictObject({
      pattern: z.string().min(1),
      path: z.string().min(1).optional().describe("File or folder; default: the project."),
      glob: z.string().min(1).optional().describe("For example `*.ts` or `src/**`."),
      context: z.number().int().min(0).max(20).optional(),
    }),
    uses: ({ path = "." }) => [{ kind: "read", path }],
    async run({ paths, signal }, { pattern, path = ".", glob, context = 0 }) {
      const target = await paths.forReading(path);
      const info = await stat(target.absolute).catch(() => undefined);
      if (info === undefined) throw notFound(`There is no file or folder "${target.shown}".`);
      if (!info.isFile() && !info.isDirectory()) {
        throw invalidInput(`"${target.shown}" is neither a regular file nor a folder.`);
      }
      const project = (await paths.forReading(".")).absolute;
      const folder = info.isFile() ? dirname(target.absolute) : target.absolute;
      const root = isInside(project, target.absolute) ? project : folder;
      const leftOut = await paths.privatePlaces();
      const search = { root, target: target.absolute, pattern, glob, context, signal, leftOut };
      const lines =
        ripgrep === undefined
          ? await searchByWalking({ ...search, isFile: info.isFile() })
          : await searchByRipgrep(ripgrep, search);
      if (lines.length === 0) {
        return { text: `Nothing matches ${pattern}.`, summary: `${pattern}: no match` };
      }
      const text = stripControl(lines.join("\n"));
      const cut =
        text.length > MAX_CHARACTERS
          ? `${text.slice(0, MAX_CHARACTERS)}\n(more omitted; narrow the search)`
          : text;
      const summary = `${pattern}: ${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
      return { text: cut, summary };
    },
  });
}

interface Search {
  readonly root: string;
  readonly target: string;
  readonly pattern: string;
  readonly glob: string | undefined;
  readonly context: number;
  readonly signal: AbortSignal;
  /** Real paths that are not searched. */
  readonly leftOut: readonly string[];
}

async function searchByWalking(
  search: Search & { readonly isFile: boolean },
): Promise<readonly string[]> {
  const { root, target, pattern, context, signal, leftOut } = search;
  checkPattern(pattern);
  const files: string[] = [];
  if (search.isFile) files.push(relative(root, target));
  else {
    const prefix = relative(root, target).length;
    const matches = search.glob === undefined ? () => true : anyGlobMatcher(search.glob);
    for await (const file of walkProject({ root, start: target, signal, leftOut })) {
      if (matches(prefix === 0 ? file : file.slice(prefix + 1))) files.push(file);
    }
  }
  const named = files.map((file) => ({ shown: file, absolute: join(root, file) }));
  return searchFiles({ files: named, pattern, context, maxMatches: MAX_MATCHES, signal });
}

function anyGlobMatcher(pattern: string): (path: string) => boolean {
  const literal = literalBrackets(pattern);
  const matches = globMatcher(pattern);
  if (literal === undefined) return matches;
  const matchesLiterally = globMatcher(literal);
  return (path) => matchesLiterally(path) || matches(path);
}
