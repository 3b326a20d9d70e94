import { stat } from "node:fs/promises";
import { z } from "zod";
import { invalidInput, stateConflict } from "../../shared/errors.ts";
import { writeWholeFile } from "./atomic-write.ts";
import { defineTool, type ToolResult } from "./define-tool.ts";
import type { ResolvedPath } from "./project-paths.ts";
import { readText } from "./project-paths.ts";
import { unifiedDiff } from "./unified-diff.ts";

export const writeTool = defineTool({
  name: "write",
  description:
    "Creates a file and missing folders. Replaces an existing file only with `overwrite`; use " +
    "edit for changes.",
  readOnly: false,
  touches: "path",
  aliases: { file_path: "path", contents: "content" },
  input: z.strictObject({
    path: z.string().min(1),
    content: z.string(),
    overwrite: z.boolean().optional(),
  }),
  uses: ({ path, overwrite }) => [{ kind: "write", path, overwrites: overwrite === true }],
  async preview({ paths }, { path, content }) {
    const file = await paths.forWriting(path);
    return unifiedDiff(file.shown, await readText(file).catch(() => ""), content);
  },
  async run({ paths, signal }, { path, content, overwrite = false }) {
    const file = await paths.forWriting(path);
    return paths.exclusively(file, () => writeFile({ file, content, overwrite, signal }));
  },
});

interface FileWrite {
  readonly file: ResolvedPath;
  readonly content: string;
  readonly overwrite: boolean;
  readonly signal: AbortSignal;
}

async function writeFile({ file, content, overwrite, signal }: FileWrite): Promise<ToolResult> {
  const info = await stat(file.absolute).catch(() => undefined);
  if (info?.isDirectory()) throw invalidInput(`"${file.shown}" is a folder.`);
  if (info !== undefined && !overwrite) {
    throw stateConflict(`"${file.shown}" exists: use edit, or write with overwrite: true.`);
  }
  const before = info === undefined ? "" : await readText(file).catch(() => "");
  signal.throwIfAborted();
  await writeWholeFile(file.absolute, content).catch((error: unknown) => {
    throw isFileInTheWay(error)
      ? invalidInput(`A parent folder of "${file.shown}" is a file.`)
      : error;
  });
  const verb = info === undefined ? "Wrote" : "Replaced";
  const lines = content === "" ? 0 : content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
  const text = `${verb} ${file.shown} (${lines} ${lines === 1 ? "line" : "lines"}).`;
  const diff = unifiedDiff(file.shown, before, content);
  return diff === "" ? { text } : { text, diff };
}

function isFileInTheWay(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "EEXIST" || error.code === "ENOTDIR";
}
