import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { stripControl } from "../../shared/text.ts";
import { defineTool, type Tool } from "./define-tool.ts";
import { globMatcher, literalBrackets } from "./glob-pattern.ts";
import { checkPattern } from "./line-matches.ts";
import { isInside } from "./project-paths.ts";
import { runRipgrep } from "./ripgrep.ts";
import { searchFiles } from "./search-files.ts";
import { walkProject } from "./walk-project.ts";

const MAX_MATCHES = 300;
const MAX_CHARACTERS = 60_000;

/** `ripgrep` is the path of the program, where it is installed. */
export function grepTool(ripgrep: () => Promise<string | undefined>): Tool {
  return defineTool({
    name: "grep",
    description:
      "Searches project files with a regular expression; returns `path:line:text`. Ignored files " +
      "are left out. `glob` selects files, `context` adds lines around each match.",
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
      const root = isInside(project, target.absolute) ? project : target.absolute;
      const program = await ripgrep();
      const leftOut = await paths.privatePlaces();
      const search = { root, target: target.absolute, pattern, glob, context, signal, leftOut };
      const lines =
        program === undefined
          ? await searchByWalking({ ...search, isFile: info.isFile() })
          : await runRipgrep(program, { ...search, maxMatches: MAX_MATCHES });
      if (lines.length === 0) {
        return { text: `Nothing matches ${pattern}.`, summary: `${pattern}: no match` };
      }
      const text = stripControl(lines.join("\n"));
      const cut =
        text.length > MAX_CHARACTERS
          ? `${text.slice(0, MAX_CHARACTERS)}\n(more left out; narrow the search)`
          : text;
      const summary = `${pattern}: ${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
      return { text: cut, summary };
    },
  });
}

interface Search {
  readonly root: string;
  readonly target: string;
  readonly isFile: boolean;
  readonly pattern: string;
  readonly glob: string | undefined;
  readonly context: number;
  readonly signal: AbortSignal;
  readonly leftOut: readonly string[];
}

async function searchByWalking(search: Search): Promise<readonly string[]> {
  const { root, target, pattern, context, signal, leftOut } = search;
  checkPattern(pattern);
  const files: string[] = [];
  if (search.isFile) files.push(relative(root, target) || target);
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
