import { resolve } from "node:path";
import type {
  Importer,
  ImportInput,
  ImportOptions,
  ImportPlan,
  ImportReport,
} from "../../ingest/importers/index.ts";
import { readSessions, SESSION_FOLDERS } from "../../ingest/sources/index.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import { invalidInput, isCairnError } from "../../shared/errors.ts";
import type { CommandLine, GlobalOptions } from "../command-line.ts";
import { withMemory } from "../command-line.ts";
import { embedStoredItems } from "../embed-stored-items.ts";
import { withProgress } from "../render/progress.ts";

export interface SourceOptions extends GlobalOptions {
  readonly from?: unknown;
  readonly dryRun?: unknown;
  readonly toChangeset?: unknown;
  readonly asFacts?: unknown;
  readonly conversations?: unknown;
  readonly map?: unknown;
  readonly vectors?: unknown;
}

interface Source {
  readonly input: ImportInput;
  /** File argument; undefined or `-` for standard input. */
  readonly file: string | undefined;
}

export async function importSource(
  line: CommandLine,
  { input, file }: Source,
  options: SourceOptions,
): Promise<void> {
  const importer = await chooseImporter(input, options.from, () => refuseSession(line, file));
  await withMemory(line, options, async (memory) => {
    const work = {
      memory,
      importer,
      input,
      options: readOptions(options),
      ...(line.signal !== undefined && { signal: line.signal }),
    };
    if (options.dryRun === true || typeof options.toChangeset === "string") {
      const { planImport } = await import("../../ingest/importers/index.ts");
      await showPlan(line, { memory, plan: await planImport(work), options });
      return;
    }
    const { runImport } = await import("../../ingest/importers/index.ts");
    const report = await withProgress(line, (onProgress) => runImport({ ...work, onProgress }));
    writeReport(line, { memory, report, options, verb: "Imported" });
    if (options.vectors !== false) await embedStoredItems(line, memory, "The import is complete");
  });
}

async function chooseImporter(
  input: ImportInput,
  from: unknown,
  refuse: () => Promise<void>,
): Promise<Importer> {
  const { guessImporter, importerNamed, importerNames } = await import(
    "../../ingest/importers/index.ts"
  );
  if (typeof from === "string") return importerNamed(from);
  const guessed = await guessImporter(input);
  if (guessed === undefined || guessed.name === "jsonl") await refuse();
  if (guessed !== undefined) return guessed;
  throw invalidInput(
    `from: cannot detect the format of ${input.label}, which is not a cairn export; use --from ${importerNames.join("|")}`,
  );
}

function readOptions(options: SourceOptions): ImportOptions {
  return {
    asFacts: options.asFacts === true,
    conversations: options.conversations === true,
    map: readMap(options.map),
  };
}

function readMap(map: unknown): Record<string, string> {
  if (typeof map !== "string") return {};
  const pairs = map.split(",").map((pair) => {
    const [field = "", ...name] = pair.split("=");
    if (name.length === 0) {
      throw invalidInput(`map: "${pair}" must be FIELD=NAME, such as content=text`);
    }
    return [field.trim(), name.join("=").trim()] as const;
  });
  return Object.fromEntries(pairs);
}

async function showPlan(
  line: CommandLine,
  { memory, plan, options }: { memory: MemoryEngine; plan: ImportPlan; options: SourceOptions },
): Promise<void> {
  const { writeChangeset } = await import("../../ingest/importers/index.ts");
  const changeset = await writeChangeset(plan.ops);
  const target = options.toChangeset;
  if (typeof target === "string" && target !== "-") {
    const { writeFile } = await import("node:fs/promises");
    const { resolve } = await import("node:path");
    await writeFile(resolve(line.cwd, target), changeset, { mode: 0o600, flag: "wx" }).catch(
      (error: unknown) => {
        throw invalidInput(`to-changeset: cannot write ${target}: ${String(error)}`);
      },
    );
  } else if (options.json !== true) {
    line.stdout.write(changeset);
  }
  if (options.dryRun === true) await checkPlan(line, memory, changeset);
  writeReport(line, { memory, report: plan.report, options, verb: "Would import" });
}

/**
 * Reports to stderr what the database would reject. Skipped for plans larger than one changeset.
 */
async function checkPlan(
  line: CommandLine,
  memory: MemoryEngine,
  changeset: string,
): Promise<void> {
  if (changeset === "") return;
  try {
    await memory.execute("apply", { changeset, dry_run: true });
  } catch (error) {
    if (!isCairnError(error)) throw error;
    line.logger.warn(error.message);
  }
}

interface Outcome {
  readonly memory: MemoryEngine;
  readonly report: ImportReport;
  readonly options: SourceOptions;
  readonly verb: string;
}

/** Results go to stdout. A dry run prints its changeset to stdout and the counts to stderr. */
function writeReport(line: CommandLine, { memory, report, options, verb }: Outcome): void {
  if (report.added + report.changed + report.known + report.skipped === 0) {
    line.stderr.write(
      `It contains no records of ${report.source}; set --from to the tool that wrote it.\n`,
    );
  }
  if (options.json === true) {
    line.stdout.write(`${JSON.stringify({ database: memory.name, ...report })}\n`);
    return;
  }
  const parts = [`${report.added} new`];
  if (report.changed > 0) parts.push(`${report.changed} changed`);
  if (report.known > 0) parts.push(`${report.known} already there`);
  if (report.skipped > 0) parts.push(`${report.skipped} skipped`);
  const text = `${verb} ${report.source} into the database "${memory.name}": ${parts.join(", ")}.\n`;
  if (verb === "Imported") line.stdout.write(text);
  else line.stderr.write(text);
  for (const { where, reason } of report.skips)
    line.stderr.write(`  skipped ${where}: ${reason}\n`);
  const unnamed = report.skipped - report.skips.length;
  if (unnamed > 0) line.stderr.write(`  and ${unnamed} more\n`);
}

/**
 * Throws invalid_input with the right command if the file is an agent session, which may also be
 * JSON lines.
 */
async function refuseSession(line: CommandLine, file: string | undefined): Promise<void> {
  if (file === undefined || file === "-") return;
  const location = { folder: resolve(line.cwd, file), endings: [], isOfProject: true };
  const sessions = readSessions({
    client: "claude-code",
    places: [location],
    cwd: line.cwd,
    within: undefined,
  });
  for await (const _session of sessions) {
    throw invalidInput(
      `from: ${file} is an agent session; use --from ${Object.keys(SESSION_FOLDERS).join("|")}`,
    );
  }
}
