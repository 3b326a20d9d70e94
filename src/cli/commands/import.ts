import { createReadStream } from "node:fs";
import { invalidInput, messageOf } from "../../kernel/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { makeVectorsNow } from "../make-vectors-now.ts";
import { withMemory } from "../open-app.ts";
import { withProgress } from "../render/progress.ts";

export const importCommand: CliCommand = {
  name: "import",
  summary: "Fill a new or empty database from what `cairn export` wrote",
  group: "Upkeep",
  example:
    "cairn import backup.jsonl --db restored\ngunzip -c backup.jsonl.gz | cairn import --db restored",
  interruptible: true,
  configure(command) {
    command
      .argument("[file]", "file to read; `-` or nothing reads standard input")
      .option("--no-vectors", "leave the vectors to the next recall");
  },
  run: (line, [file], options) =>
    withMemory(line, options, async (memory) => {
      const { importDatabase, readLines } = await import("../../memory/index.ts");
      const rows = await withProgress(line, (onProgress) =>
        importDatabase(memory, readLines(openInput(line, file)), {
          signal: line.signal,
          onProgress,
        }),
      );
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ database: memory.name, rows })}\n`);
      } else {
        line.stdout.write(`Imported ${rows} rows into the database "${memory.name}".\n`);
      }
      if (options.vectors !== false) await makeVectorsNow(line, memory, "The import is complete");
      return undefined;
    }),
};

function openInput(line: CommandLine, file: string | undefined): AsyncIterable<Uint8Array> {
  if (file !== undefined && file !== "-") return readFileChunks(file);
  if (line.stdin.isTTY === true && file === undefined) {
    throw invalidInput("file: name a file, or pipe an export: cairn import < backup.jsonl");
  }
  return line.stdin;
}

async function* readFileChunks(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw invalidInput(`file: cannot read ${file}: ${messageOf(error)}`);
  }
}
