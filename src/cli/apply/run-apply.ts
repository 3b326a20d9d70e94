import { randomUUID } from "node:crypto";
import type { ChangesetPart, MemoryEngine, OutputOf } from "../../memory/index.ts";
import type { CommandLine } from "../command-line.ts";
import { makeVectorsNow } from "../make-vectors-now.ts";
import { printResult } from "../render/print-result.ts";
import { withProgress } from "../render/progress.ts";
import { type AppliedParts, applyInParts, StoppedParts } from "./apply-in-parts.ts";
import { changesetChunks } from "./changeset-chunks.ts";
import { openChangeset } from "./open-changeset.ts";

export interface ApplyWork {
  readonly line: CommandLine;
  readonly memory: MemoryEngine;
  readonly session: string | undefined;
  /** Ops that one transaction takes. */
  readonly maxChangesetOps: number;
  /** Whether larger changesets are refused. */
  readonly isAtomic: boolean;
  readonly isDryRun: boolean;
  readonly key: string | undefined;
  readonly asJson: boolean;
  readonly withVectors: boolean;
}

/** Applies the changeset of a file or of standard input and prints the result. */
export async function runApply(file: string | undefined, work: ApplyWork): Promise<void> {
  const { line, memory, asJson, isDryRun } = work;
  const chunks = changesetChunks(line, file);
  const changeset =
    work.isAtomic || isDryRun
      ? { whole: await textOf(chunks) }
      : await openChangeset(chunks, work.maxChangesetOps);
  if ("whole" in changeset) {
    const output = await applyWhole(changeset.whole, work);
    await printResult(line, { output, asJson });
  } else {
    const output = await applyParts(changeset.parts, work);
    const text = describeParts(output);
    await printResult(line, { output, text, isSentence: true, asJson });
  }
  if (!isDryRun && work.withVectors) {
    await makeVectorsNow(line, memory, "The changeset is applied");
  }
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
