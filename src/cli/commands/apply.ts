import { readFile } from "node:fs/promises";
import { invalidInput, messageOf } from "../../kernel/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { withMemory } from "../open-app.ts";
import { readStdin } from "../read-stdin.ts";
import { printResult } from "../render/print-result.ts";

/** From this many items on, the vectors are made now, with progress, and not by the next recall. */
const VECTORS_AT_ONCE = 20;

export const apply: CliCommand = {
  name: "apply",
  summary: "Write a changeset: many ops, all or nothing",
  group: "Memory",
  example: "cairn apply changes.txt\ncairn apply --dry-run < changes.txt",
  configure(command) {
    command
      .argument("[file]", "file with the changeset; `-` or nothing reads standard input")
      .option("--dry-run", "validate everything, write nothing")
      .option("--idempotency-key <key>", "the same key with the same changeset is applied once");
  },
  run: (line, [file], options) =>
    withMemory(line, options, async (memory) => {
      const changeset = await readChangeset(line, file);
      const operation = memory.operations.get("apply");
      if (operation === undefined) throw new Error("There is no apply operation.");
      const output = await memory.execute("apply", {
        changeset,
        ...(options.dryRun === true && { dry_run: true }),
        ...(typeof options.idempotencyKey === "string" && {
          idempotency_key: options.idempotencyKey,
        }),
      });
      printResult(line, { operation, output, asJson: options.json === true });
      if ((await memory.vectors.countPending()) >= VECTORS_AT_ONCE) {
        await memory.makeMissingVectors();
      }
      return undefined;
    }),
};

async function readChangeset(line: CommandLine, file: string | undefined): Promise<string> {
  if (file === undefined || file === "-") {
    if (line.stdin.isTTY === true && file === undefined) {
      throw invalidInput("file: name a file, or pipe a changeset: cairn apply < changes.txt");
    }
    return readStdin(line);
  }
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw invalidInput(`file: cannot read ${file}: ${messageOf(error)}`);
  }
}
