import { randomUUID } from "node:crypto";
import type { ChangesetPart, MemoryEngine, OutputOf } from "../../memory/index.ts";
import { type AppliedParts, applyInParts, StoppedParts } from "../apply/apply-in-parts.ts";
import { changesetChunks } from "../apply/changeset-chunks.ts";
import { openChangeset } from "../apply/open-changeset.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { makeVectorsNow } from "../make-vectors-now.ts";
import { withMemory } from "../open-app.ts";
import { printResult } from "../render/print-result.ts";
import { withProgress } from "../render/progress.ts";

/**
 * Derived commands take texts and numbers: this one reads a file or standard input of any length,
 * tells progress and makes vectors, all of it about changesets alone. So it calls that one operation
 * by its name, and the compiler checks what it gives.
 */
export const apply: CliCommand = {
  name: "apply",
  reader: "person",
  summary: "Write a changeset: many ops, all or nothing",
  group: "Memory",
  example: "cairn apply changes.txt\ncairn apply --dry-run < changes.txt\nmake-ops | cairn apply -",
  interruptible: true,
  configure(command) {
    command
      .argument("[file]", "file with the changeset; `-` or nothing reads standard input")
      .option("--dry-run", "validate everything, write nothing")
      .option(
        "--atomic",
        "refuse more ops than fit one transaction; they are applied in parts else",
      )
      .option(
        "--idempotency-key <key>",
        "the same key with the same changeset is applied once, and goes on where it stopped",
      )
      .option("--no-vectors", "leave the vectors to the next recall");
  },
  run: (line, [file], options) =>
    withMemory(line, options, async (memory, app) => {
      const { session, maxChangesetOps } = app.config.settings;
      const { atomic, dryRun, idempotencyKey, json, vectors } = options;
      const isWhole = atomic === true || dryRun === true;
      const work: ApplyWork = {
        line,
        memory,
        session,
        isDryRun: dryRun === true,
        key: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
      };
      const chunks = changesetChunks(line, file);
      const changeset = isWhole
        ? { whole: await textOf(chunks) }
        : await openChangeset(chunks, maxChangesetOps);
      if ("whole" in changeset) {
        const output = await applyWhole(changeset.whole, work);
        await printResult(line, { output, asJson: json === true });
      } else {
        const output = await applyParts(changeset.parts, work);
        const text = describeParts(output);
        await printResult(line, { output, text, isSentence: true, asJson: json === true });
      }
      if (dryRun !== true && vectors !== false) {
        await makeVectorsNow(line, memory, "The changeset is applied");
      }
      return undefined;
    }),
};

interface ApplyWork {
  readonly line: CommandLine;
  readonly memory: MemoryEngine;
  readonly session: string | undefined;
  readonly isDryRun: boolean;
  readonly key: string | undefined;
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  const read: string[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return read.join("");
}

function applyWhole(
  changeset: string,
  { line, memory, session, isDryRun, key }: ApplyWork,
): Promise<OutputOf<"apply">> {
  return withProgress(line, (onProgress) =>
    memory.execute(
      "apply",
      {
        changeset,
        ...(isDryRun && { dry_run: true }),
        ...(key !== undefined && { idempotency_key: key }),
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
}

async function applyParts(
  parts: AsyncIterable<ChangesetPart>,
  { line, memory, session, key = `apply-${randomUUID()}` }: ApplyWork,
): Promise<AppliedParts> {
  line.logger.info(
    `more ops than one transaction takes: applying them in parts, as ${key} (\`--atomic\` refuses to).`,
  );
  try {
    return await withProgress(line, (onProgress) =>
      applyInParts(parts, { memory, key, session, signal: line.signal, onProgress }),
    );
  } catch (error) {
    if (!(error instanceof StoppedParts)) throw error;
    line.logger.warn(error.message);
    throw error.cause;
  }
}

function describeParts({ ops, parts, counts, idempotency_key: key }: AppliedParts): string {
  return [
    `Applied ${ops} ops in ${parts} parts, as ${key}.`,
    ...Object.entries(counts).map(([op, count]) => `- ${op} (${count})`),
    `\`cairn undo --since change:0 --session ${key}\` takes them back.`,
  ].join("\n");
}
