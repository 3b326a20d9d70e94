import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { z } from "zod";
import { notFound } from "../../shared/errors.ts";
import { isInside } from "../../shared/is-inside.ts";
import { defineTool } from "./define-tool.ts";
import { globMatcher, literalBrackets } from "./glob-pattern.ts";
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
