import { readFile } from "node:fs/promises";
import { invalidInput, isCairnError, messageOf } from "../../kernel/errors.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { withMemory } from "../open-app.ts";
import { readStdin } from "../read-stdin.ts";
import { printResult } from "../render/print-result.ts";
import { withProgress } from "../render/progress.ts";

/** From this many items on, the vectors are made now, with progress, and not by the next recall. */
const VECTORS_AT_ONCE = 20;

export const apply: CliCommand = {
  name: "apply",
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
          { signal: line.signal, onProgress, ...(session !== undefined && { session }) },
        ),
      );
      await printResult(line, { output, asJson: options.json === true });
      if (options.dryRun !== true && options.vectors !== false) await makeVectors(line, memory);
      return undefined;
    }),
};

/** The changeset is stored already: whatever happens here is no failure of `apply`. */
async function makeVectors(line: CommandLine, memory: MemoryEngine): Promise<void> {
  if ((await memory.vectors.countPending()) < VECTORS_AT_ONCE) return;
  try {
    await withProgress(line, (onProgress) =>
      memory.makeMissingVectors({ signal: line.signal, onProgress }),
    );
  } catch (error) {
    if (line.signal.aborted) {
      const missing = await memory.vectors.countPending();
      line.logger.info(
        `interrupted. The changeset is applied; ${missing} vectors are missing and are made by the next recall.`,
      );
    } else if (isCairnError(error)) {
      line.logger.warn(error.message);
    } else {
      throw error;
    }
  }
}

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
