import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileReason, invalidInput } from "../../kernel/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { makeVectorsNow } from "../make-vectors-now.ts";
import { withMemory } from "../open-app.ts";
import { readStdin } from "../read-stdin.ts";
import { printResult } from "../render/print-result.ts";
import { withProgress } from "../render/progress.ts";

/**
 * Derived commands take texts and numbers: this one reads a file or standard input, tells progress
 * and makes vectors, all of it about changesets alone. So it calls that one operation by its name,
 * and the compiler checks what it gives.
 */
export const apply: CliCommand = {
  name: "apply",
  reader: "person",
  summary: "Write a changeset: many ops, all or nothing",
  group: "Memory",
  example: "cairn apply changes.txt\ncairn apply --dry-run < changes.txt",
  interruptible: true,
  configure(command) {
    command
      .argument("[file]", "file with the changeset; `-` or nothing reads standard input")
      .option("--dry-run", "validate everything, write nothing")
      .option("--idempotency-key <key>", "the same key with the same changeset is applied once")
      .option("--no-vectors", "leave the vectors to the next recall");
  },
  run: (line, [file], options) =>
    withMemory(line, options, async (memory, app) => {
      const changeset = await readChangeset(line, file);
      const { session } = app.config.settings;
      const output = await withProgress(line, (onProgress) =>
        memory.execute(
          "apply",
          {
            changeset,
            ...(options.dryRun === true && { dry_run: true }),
            ...(typeof options.idempotencyKey === "string" && {
              idempotency_key: options.idempotencyKey,
            }),
          },
          {
            signal: line.signal,
            onProgress,
            surface: "cli",
            ...(session !== undefined && { session }),
            ...(line.once !== undefined && { once: line.once() }),
          },
        ),
      );
      await printResult(line, { output, asJson: options.json === true });
      if (options.dryRun !== true && options.vectors !== false) {
        await makeVectorsNow(line, memory, "The changeset is applied");
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
    return await readFile(resolve(line.cwd, file), "utf8");
  } catch (error) {
    throw invalidInput(`file: cannot read ${file}: ${fileReason(error)}`);
  }
}
