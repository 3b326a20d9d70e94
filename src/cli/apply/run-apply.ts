import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { ChangesetPart, MemoryEngine, OutputOf } from "../../memory/index.ts";
import { findIssues, type Progress, splitChangeset } from "../../memory/index.ts";
import { CairnError, fileReason, invalidInput, isCairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { CommandLine } from "../command-line.ts";
import { embedStoredItems } from "../embed-stored-items.ts";
import { printResult } from "../render/print-result.ts";
import { withProgress } from "../render/progress.ts";

interface PartsWork {
  readonly memory: MemoryEngine;
  /** Parts already applied under this key are skipped. */
  readonly key: string;
  readonly session?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

interface AppliedParts {
  readonly success: true;
  readonly idempotency_key: string;
  readonly ops: number;
  readonly parts: number;
  readonly counts: Readonly<Record<string, number>>;
}

type Names = Record<string, { id: string; fact_id?: string | undefined }>;

/**
 * Applies a changeset in parts, each in its own transaction and under its own key, so that a retry
 * resumes. Errors state what was already applied.
 */
async function applyInParts(
  parts: AsyncIterable<ChangesetPart>,
  work: PartsWork,
): Promise<AppliedParts> {
  const names = new Map<string, Names[string]>();
  const counts: Record<string, number> = {};
  let done = { ops: 0, parts: 0 };
  for await (const part of parts) {
    const answer = await applyPart(part, { work, done, names: collectNames(part.text, names) });
    for (const { ref, id, fact_id } of answer.results) {
      if (ref === undefined || id === undefined) continue;
      names.set(ref, { id, ...(typeof fact_id === "string" && { fact_id }) });
    }
    for (const [op, count] of Object.entries(answer.counts ?? {})) {
      counts[op] = (counts[op] ?? 0) + count;
    }
    done = { ops: done.ops + part.ops, parts: done.parts + 1 };
    work.onProgress({ stage: "Applying", done: done.ops, total: 0 });
  }
  return { success: true, idempotency_key: work.key, ...done, counts };
}

interface PartsDone {
  readonly ops: number;
  readonly parts: number;
}

async function applyPart(
  { text, firstOp, firstLine }: ChangesetPart,
  { work, done, names }: { work: PartsWork; done: PartsDone; names: Names },
): Promise<OutputOf<"apply">> {
  const { memory, key, session, signal } = work;
  try {
    signal.throwIfAborted();
    return await memory.execute(
      "apply",
      {
        changeset: text,
        idempotency_key: `${key}/${done.parts + 1}`,
        continues: { op: firstOp, line: firstLine, names },
        answer: "summary",
      },
      { signal, surface: "cli", run: key, ...(session !== undefined && { session }) },
    );
  } catch (error) {
    throw withProgressMade(error, { key, done, firstLine, isAborted: signal.aborted });
  }
}

function collectNames(text: string, known: ReadonlyMap<string, Names[string]>): Names {
  const names: Names = {};
  if (known.size === 0) return names;
  for (const [word] of text.matchAll(/[A-Za-z_][A-Za-z0-9_-]*/g)) {
    const ids = known.get(word);
    if (ids !== undefined) names[word] = ids;
  }
  return names;
}

class StoppedParts extends Error {
  override readonly name = "StoppedParts";

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

interface ApplyProgress {
  readonly key: string;
  readonly done: PartsDone;
  readonly firstLine: number;
  readonly isAborted: boolean;
}

function withProgressMade(
  error: unknown,
  { key, done, firstLine, isAborted }: ApplyProgress,
): unknown {
  const before =
    done.ops === 0
      ? "Nothing was applied."
      : `The ${done.ops} ops before line ${firstLine} are applied: the same command with \`--idempotency-key ${key}\` resumes there, \`cairn undo --since change:0 --session ${key}\` reverts them.`;
  if (isAborted) return new StoppedParts(before, error);
  if (!isCairnError(error)) return error;
  const isOther = error.code === "conflict" && error.message.startsWith("idempotency_key");
  const outcome = isOther
    ? `idempotency_key: the input differs from line ${firstLine} on from what was applied as ${key}. Change only lines after the applied ops.`
    : stopReason(error);
  return new CairnError(error.code, `${outcome} ${before}`, {
    ...(isPlainObject(error.details) && error.details),
    idempotency_key: key,
    applied: done.ops,
  });
}

function stopReason(error: CairnError): string {
  const [first, ...others] = findIssues(error) ?? [];
  if (first === undefined) return `${error.message.replace(/\.$/, "")}.`;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `line ${first.line}: ${first.message}${more}`;
}

/** Ops per transaction: amortizes the commit but lets other writers in between. */
const OPS_PER_PART = 1000;
const CHARACTERS_PER_PART = 4 * 1024 * 1024;
const MAX_CHARS = 64 * 1024 * 1024;

type OpenChangeset = { readonly whole: string } | { readonly parts: AsyncIterable<ChangesetPart> };

async function openChangeset(
  chunks: AsyncIterable<string>,
  maxOps: number,
): Promise<OpenChangeset> {
  const read: string[] = [];
  let isReported = false;
  async function* recordChunks() {
    for await (const chunk of chunks) {
      if (!isReported) read.push(chunk);
      yield chunk;
    }
  }
  const parts = splitChangeset(recordChunks(), {
    ops: Math.min(OPS_PER_PART, maxOps),
    chars: CHARACTERS_PER_PART,
  });
  const first: ChangesetPart[] = [];
  let ops = 0;
  let chars = 0;
  while (ops <= maxOps && chars <= MAX_CHARS) {
    const part = await parts.next();
    if (part.done === true) return { whole: read.join("") };
    first.push(part.value);
    ops += part.value.ops;
    chars += part.value.text.length;
  }
  isReported = true;
  read.length = 0;
  return { parts: runInOrder(first, parts) };
}

async function* runInOrder(first: ChangesetPart[], others: AsyncIterable<ChangesetPart>) {
  for (let part = first.shift(); part !== undefined; part = first.shift()) yield part;
  yield* others;
}

export interface ApplyWork {
  readonly line: CommandLine;
  readonly memory: MemoryEngine;
  readonly session: string | undefined;
  readonly maxChangesetOps: number;
  readonly isAtomic: boolean;
  readonly isDryRun: boolean;
  readonly key: string | undefined;
  readonly asJson: boolean;
  readonly withVectors: boolean;
}

export async function runApply(file: string | undefined, work: ApplyWork): Promise<void> {
  const { line, memory, asJson, isDryRun } = work;
  const chunks = changesetChunks(line, file);
  const changeset =
    work.isAtomic || isDryRun
      ? { whole: await readAllText(chunks) }
      : await openChangeset(chunks, work.maxChangesetOps);
  if ("whole" in changeset) {
    const output = await applyAtOnce(changeset.whole, work);
    await printResult(line, { output, asJson });
  } else {
    const output = await applyParts(changeset.parts, work);
    const text = describeParts(output);
    await printResult(line, { output, text, isSentence: true, asJson });
  }
  if (!isDryRun && work.withVectors) {
    await embedStoredItems(line, memory, "The changeset is applied");
  }
}

async function readAllText(chunks: AsyncIterable<string>): Promise<string> {
  const read: string[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return read.join("");
}

function applyAtOnce(
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
    `more ops than one transaction allows: applying them in parts as ${key} (\`--atomic\` rejects them instead).`,
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
    `\`cairn undo --since change:0 --session ${key}\` reverts them.`,
  ].join("\n");
}

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
