import { once } from "node:events";
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { draftName, removeAbandonedDrafts } from "../../kernel/draft-file.ts";
import { stateConflict } from "../../kernel/errors.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { requireExisting, withMemory } from "../open-app.ts";
import { withProgress } from "../render/progress.ts";

export const exportCommand: CliCommand = {
  name: "export",
  summary: "Write a whole database with its history and feed as lines of JSON",
  group: "Upkeep",
  example: "cairn export backup.jsonl\ncairn export | gzip > backup.jsonl.gz",
  interruptible: true,
  configure(command) {
    command
      .argument("[file]", "file to write; `-` or nothing writes to standard output")
      .option("--force", "replace the file if it is there");
  },
  run: (line, [file], options) =>
    withMemory(line, options, async (memory) => {
      requireExisting(memory);
      if (file === undefined || file === "-") {
        return exitCodeOf(await exportTo(line, memory, line.stdout));
      }
      const done = await exportToFile(line, memory, { file, force: options.force === true });
      const { rows, leftOut } = done;
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ file, rows, left_out: leftOut })}\n`);
      } else line.stdout.write(`Exported ${rows} rows to ${file}.\n`);
      return exitCodeOf(done);
    }),
};

interface Exported {
  readonly rows: number;
  /** What was damaged, as `episodes 20 to 39`. */
  readonly leftOut: readonly string[];
}

/** A backup that lacks rows must not pass for a whole one. */
function exitCodeOf({ leftOut }: Exported): ExitCode {
  return leftOut.length === 0 ? EXIT.ok : EXIT.failed;
}

/** The file gets its name once it is whole; like the database, it is its owner's alone. */
async function exportToFile(
  line: CommandLine,
  memory: MemoryEngine,
  { file, force }: { file: string; force: boolean },
): Promise<Exported> {
  if (!force && existsSync(file)) {
    throw stateConflict(
      `${file} is there already. Choose another name, or replace it with --force.`,
    );
  }
  removeAbandonedDrafts(dirname(file), (other) => other === basename(file));
  const draft = draftName(file);
  const stream = createWriteStream(draft, { mode: 0o600, flags: "wx" });
  try {
    await once(stream, "open");
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
): Promise<Exported> {
  const { exportDatabase } = await import("../../memory/index.ts");
  const { signal } = line;
  const leftOut: string[] = [];
  const onUnreadable = (rows: string) => {
    leftOut.push(rows);
    line.logger.warn(`Damaged rows are left out: ${rows}`);
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
