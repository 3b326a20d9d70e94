import { once } from "node:events";
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { App } from "../../app/index.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import { fileReason, invalidInput, stateConflict } from "../../shared/errors.ts";
import { removeAbandonedDrafts, temporaryName } from "../../shared/files.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { requireExisting, withMemory } from "../command-line.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { addFilterFlags, readFilterFlags } from "../filter-flags.ts";
import { withProgress } from "../render/progress.ts";

export const exportCommand: CliCommand = {
  name: "export",
  reader: "person",
  summary: "Export a database as a backup, Markdown or CLAUDE.md section",
  group: "Upkeep",
  example:
    "cairn export backup.jsonl\ncairn export --format markdown notes\ncairn export --format claude-md CLAUDE.md",
  interruptible: true,
  configure(command) {
    command
      .argument(
        "[file]",
        "file to write, for markdown a folder too; `-` or nothing writes to standard output",
      )
      .option(
        "--format <format>",
        "jsonl: everything with its history and feed, for `cairn import`; markdown: pages for people; claude-md: a section of CLAUDE.md or AGENTS.md, whose other lines stay (default: jsonl)",
      )
      .option("-n, --limit <count>", "claude-md: maximum entries per part (default: 20)")
      .option("--force", "overwrite an existing file");
    addFilterFlags(command);
  },
  run: (line, [file], options) =>
    withMemory(line, options, async (memory, app) => {
      await requireExisting(memory);
      if (typeof options.format === "string" && options.format !== OWN_FORMAT) {
        await exportInFormat(line, memory, { file, options });
        if (file !== undefined && file !== "-")
          await recordExport(line, app, { database: memory.name, file });
        return undefined;
      }
      rejectFilters(options);
      if (file === undefined || file === "-") {
        return chooseExitCode(await exportTo(line, memory, line.stdout));
      }
      const done = await exportToFile(line, memory, { file, force: options.force === true });
      await recordExport(line, app, { database: memory.name, file });
      const { rows, leftOut } = done;
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ file, rows, left_out: leftOut })}\n`);
      } else line.stdout.write(`Exported ${rows} rows to ${file}.\n`);
      return chooseExitCode(done);
    }),
};

/** A partial backup could not be restored. */
function rejectFilters(options: Readonly<Record<string, unknown>>): void {
  const [value] = Object.keys(readFilterFlags(options));
  if (value === undefined) return;
  throw invalidInput(
    `--${value.replaceAll("_", "-")}: not allowed for a backup, which always contains everything; use filters with --format markdown or claude-md`,
  );
}

/** Records the export so that a later purge can list it. */
async function recordExport(
  line: CommandLine,
  app: App,
  { database, file }: { database: string; file: string },
): Promise<void> {
  const { RecordedCopies: NotedCopies } = await import("../../database/index.ts");
  const target = resolve(line.cwd, file);
  if (new NotedCopies(app.config.dataDir).add({ kind: "export", database, target })) return;
  line.logger.warn("The data folder is read-only, so a later purge cannot list this export.");
}

/** The only format that cairn can import again. */
const OWN_FORMAT = "jsonl";
const DEFAULT_ENTRIES = 20;

interface ExportArguments {
  readonly file: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

async function exportInFormat(
  line: CommandLine,
  memory: MemoryEngine,
  { file, options }: ExportArguments,
): Promise<undefined> {
  const [{ exporterNamed }, { writeExported }] = await Promise.all([
    import("../../ingest/exporters/index.ts"),
    import("../export/write-exported.ts"),
  ]);
  const exporter = exporterNamed(String(options.format));
  const { limit } = options;
  const maxEntries = typeof limit === "string" ? parseInteger(limit, "--limit") : DEFAULT_ENTRIES;
  if (maxEntries < 1) throw invalidInput("--limit: must be 1 or more");
  const target = file === "-" ? undefined : file;
  const files = await writeExported(line, memory, {
    exporter,
    options: { database: memory.name, now: new Date(), limit: maxEntries },
    filter: readFilterFlags(options),
    target,
    force: options.force === true,
  });
  if (target === undefined) return undefined;
  const written = exporter.form === "section" ? "the section" : formatFileCount(files.length);
  if (options.json === true) line.stdout.write(`${JSON.stringify({ file: target, files })}\n`);
  else line.stdout.write(`Wrote ${written} to ${target}.\n`);
  return undefined;
}

const formatFileCount = (files: number): string => (files === 1 ? "1 file" : `${files} files`);

interface ExportResult {
  readonly rows: number;
  /** Damaged rows, as `episodes 20 to 39`. */
  readonly leftOut: readonly string[];
}

/** Fails for an incomplete backup. */
function chooseExitCode({ leftOut }: ExportResult): ExitCode {
  return leftOut.length === 0 ? EXIT.ok : EXIT.failed;
}

/** Writes a file readable only by its owner and renames it once complete. */
async function exportToFile(
  line: CommandLine,
  memory: MemoryEngine,
  { file: named, force }: { file: string; force: boolean },
): Promise<ExportResult> {
  const file = resolve(line.cwd, named);
  if (!force && existsSync(file)) {
    throw stateConflict(
      `${named} already exists. Choose another name, or overwrite it with --force.`,
    );
  }
  removeAbandonedDrafts(dirname(file), (other) => other === basename(file));
  const draft = temporaryName(file);
  const stream = createWriteStream(draft, { mode: 0o600, flags: "wx" });
  try {
    await once(stream, "open").catch((error: unknown) => {
      throw invalidInput(`file: cannot write ${named}: ${fileReason(error)}`);
    });
    const done = await exportTo(line, memory, stream);
    stream.end();
    await once(stream, "close");
    renameSync(draft, file);
    return done;
  } finally {
    stream.destroy();
    rmSync(draft, { force: true });
  }
}

async function exportTo(
  line: CommandLine,
  memory: MemoryEngine,
  stream: NodeJS.WritableStream,
): Promise<ExportResult> {
  const { exportDatabase } = await import("../../memory/index.ts");
  const { signal } = line;
  const leftOut: string[] = [];
  const onUnreadable = (rows: string) => {
    leftOut.push(rows);
    line.logger.warn(`Damaged rows are omitted: ${rows}`);
  };
  const rows = await withProgress(line, (onProgress) =>
    exportDatabase(
      memory,
      async (chunk) => {
        if (!stream.write(chunk)) await once(stream, "drain", { signal });
      },
      { signal, onProgress, onUnreadable },
    ),
  );
  return { rows, leftOut };
}
