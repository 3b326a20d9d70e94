import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import type {
  ExportedFile,
  Exporter,
  ExportFilter,
  ExportOptions,
} from "../../ingest/exporters/index.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import { stateConflict } from "../../shared/errors.ts";
import { replaceSection } from "../../shared/text.ts";
import type { CommandLine } from "../command-line.ts";

export interface ExportRequest {
  readonly exporter: Exporter;
  readonly options: ExportOptions;
  readonly filter: ExportFilter;
  readonly target: string | undefined;
  readonly force: boolean;
}

/** Returns the written paths in reading order; empty for standard output. */
export async function writeExported(
  line: CommandLine,
  memory: MemoryEngine,
  { exporter, options, filter, target: named, force }: ExportRequest,
): Promise<readonly string[]> {
  const { ExportedMemory } = await import("../../ingest/exporters/index.ts");
  const files = exporter.write(new ExportedMemory(memory, filter), options);
  const target = named === undefined ? undefined : resolve(line.cwd, named);
  if (target === undefined) {
    await writeEachFile(line, files, ({ text }, index) => {
      line.stdout.write(index === 0 ? text : `\n${text}`);
    });
    return [];
  }
  if (exporter.form === "section") {
    const before = existsSync(target) ? readFileSync(target, "utf8") : "";
    const after = replaceSection(before, await concatenateFiles(line, files));
    await writeWholeFile(target, after);
    return [target];
  }
  if (isFile(target)) {
    rejectExistingFile(target, force);
    await writeWholeFile(target, await concatenateFiles(line, files));
    return [target];
  }
  rejectNonEmptyFolder(target, force);
  const written: string[] = [];
  await writeEachFile(line, files, async ({ path, text }) => {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    await writeWholeFile(file, text);
    written.push(file);
  });
  return written;
}

async function concatenateFiles(
  line: CommandLine,
  files: AsyncIterable<ExportedFile>,
): Promise<string> {
  const texts: string[] = [];
  await writeEachFile(line, files, ({ text }) => {
    texts.push(text);
  });
  return texts.join("\n");
}

async function writeEachFile(
  { signal }: CommandLine,
  files: AsyncIterable<ExportedFile>,
  writeFile: (file: ExportedFile, index: number) => Promise<void> | void,
): Promise<void> {
  let index = 0;
  for await (const file of files) {
    signal.throwIfAborted();
    await writeFile(file, index);
    index += 1;
  }
}

async function writeWholeFile(file: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(file, text);
}

function isFile(target: string): boolean {
  const stats = statSync(target, { throwIfNoEntry: false });
  return stats === undefined ? extname(target) !== "" : stats.isFile();
}

function rejectExistingFile(file: string, force: boolean): void {
  if (force || !existsSync(file)) return;
  throw stateConflict(`${file} already exists. Choose another name, or overwrite it with --force.`);
}

function rejectNonEmptyFolder(folder: string, force: boolean): void {
  if (force || !existsSync(folder) || readdirSync(folder).length === 0) return;
  throw stateConflict(
    `${folder} is not empty. Choose another folder, or overwrite files of the same name with --force.`,
  );
}
