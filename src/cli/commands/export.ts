import { once } from "node:events";
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { draftName, removeAbandonedDrafts } from "../../kernel/draft-file.ts";
import { stateConflict } from "../../kernel/errors.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
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
        await exportTo(line, memory, line.stdout);
        return undefined;
      }
      const rows = await exportToFile(line, memory, { file, force: options.force === true });
      if (options.json === true) line.stdout.write(`${JSON.stringify({ file, rows })}\n`);
      else line.stdout.write(`Exported ${rows} rows to ${file}.\n`);
      return undefined;
    }),
};

/** The file gets its name once it is whole; like the database, it is its owner's alone. */
async function exportToFile(
  line: CommandLine,
  memory: MemoryEngine,
  { file, force }: { file: string; force: boolean },
): Promise<number> {
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
    const rows = await exportTo(line, memory, stream);
    stream.end();
    await once(stream, "close");
    renameSync(draft, file);
    return rows;
  } finally {
    stream.destroy();
    rmSync(draft, { force: true });
  }
}

async function exportTo(
  line: CommandLine,
  memory: MemoryEngine,
  stream: NodeJS.WritableStream,
): Promise<number> {
  const { exportDatabase } = await import("../../memory/index.ts");
  const { signal } = line;
  return withProgress(line, (onProgress) =>
    exportDatabase(
      memory,
      async (chunk) => {
        if (!stream.write(chunk)) await once(stream, "drain", { signal });
      },
      {
        signal,
        onProgress,
        onUnreadable: (row) => line.logger.warn(`A damaged row is left out: ${row}`),
      },
    ),
  );
}
