import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { ChangesetPart, MemoryEngine, OutputOf } from "../../memory/index.ts";
import { splitChangeset } from "../../memory/index.ts";
import { fileReason, invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";
import { makeVectorsNow } from "../make-vectors-now.ts";
import { printResult } from "../render/print-result.ts";
import { withProgress } from "../render/progress.ts";
import { type AppliedParts, applyInParts, StoppedParts } from "./apply-in-parts.ts";

/** Ops of one transaction: enough to cost little each, few enough to let others write in between. */
const PART_OPS = 1000;
const PART_CHARS = 4 * 1024 * 1024;
const MAX_CHARS = 64 * 1024 * 1024;

type OpenChangeset =
  /** The changeset is small enough for one transaction. */
  { readonly whole: string } | { readonly parts: AsyncIterable<ChangesetPart> };

async function openChangeset(
  chunks: AsyncIterable<string>,
  mostOps: number,
): Promise<OpenChangeset> {
  const read: string[] = [];
  let isTold = false;
  async function* noted() {
    for await (const chunk of chunks) {
      if (!isTold) read.push(chunk);
      yield chunk;
    }
  }
  const parts = splitChangeset(noted(), {
    ops: Math.min(PART_OPS, mostOps),
    chars: PART_CHARS,
  });
  const first: ChangesetPart[] = [];
  let ops = 0;
  let chars = 0;
  while (ops <= mostOps && chars <= MAX_CHARS) {
    const part = await parts.next();
    if (part.done === true) return { whole: read.join("") };
    first.push(part.value);
    ops += part.value.ops;
    chars += part.value.text.length;
  }
  isTold = true;
  read.length = 0;
  return { parts: inOrder(first, parts) };
}

async function* inOrder(first: ChangesetPart[], others: AsyncIterable<ChangesetPart>) {
  for (let part = first.shift(); part !== undefined; part = first.shift()) yield part;
  yield* others;
}

export interface ApplyWork {
  readonly line: CommandLine;
  readonly memory: MemoryEngine;
  readonly session: string | undefined;
  readonly maxChangesetOps: number;
  /** True if larger changesets are refused. */
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

/** A changeset from a file or standard input, in chunks as it arrives. Throws invalid_input. */
async function* changesetChunks(
  line: CommandLine,
  file: string | undefined,
): AsyncGenerator<string, undefined> {
  if (file === undefined && line.stdin.isTTY === true) {
    throw invalidInput("file: name a file, or pipe a changeset: cairn apply < changes.txt");
  }
  const isInput = file === undefined || file === "-";
  const source = isInput ? line.stdin : createReadStream(resolve(line.cwd, file));
  const decoder = new TextDecoder();
  try {
    for await (const chunk of source) yield decoder.decode(Buffer.from(chunk), { stream: true });
  } catch (error) {
    throw invalidInput(`file: cannot read ${file ?? "standard input"}: ${fileReason(error)}`);
  }
  yield decoder.decode();
}
