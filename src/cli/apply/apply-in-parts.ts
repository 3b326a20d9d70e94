import {
  type ChangesetPart,
  issuesOf,
  type MemoryEngine,
  type OutputOf,
  type Progress,
} from "../../memory/index.ts";
import { CairnError, isCairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";

export interface PartsWork {
  readonly memory: MemoryEngine;
  /** Identifies the whole changeset: parts already applied under this key are not applied again. */
  readonly key: string;
  readonly session?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface AppliedParts {
  readonly success: true;
  readonly idempotency_key: string;
  readonly ops: number;
  /** Number of transactions. */
  readonly parts: number;
  readonly counts: Readonly<Record<string, number>>;
}

type Names = Record<string, { id: string; fact_id?: string | undefined }>;

/**
 * Applies a changeset of any length part by part, each in a transaction of its own and under a key
 * of its own: whoever runs it again with the same key goes on where it stopped. Throws what is wrong
 * with a part, and says what was applied before it.
 */
export async function applyInParts(
  parts: AsyncIterable<ChangesetPart>,
  work: PartsWork,
): Promise<AppliedParts> {
  const names = new Map<string, Names[string]>();
  const counts: Record<string, number> = {};
  let done = { ops: 0, parts: 0 };
  for await (const part of parts) {
    const answer = await applyPart(part, { work, done, names: namesIn(part.text, names) });
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
    throw toldHowFar(error, { key, done, firstLine, isAborted: signal.aborted });
  }
}

/** Only names that the part may use, so that a repeated request stays small. */
function namesIn(text: string, known: ReadonlyMap<string, Names[string]>): Names {
  const names: Names = {};
  if (known.size === 0) return names;
  for (const [word] of text.matchAll(/[A-Za-z_][A-Za-z0-9_-]*/g)) {
    const ids = known.get(word);
    if (ids !== undefined) names[word] = ids;
  }
  return names;
}

export class StoppedParts extends Error {
  override readonly name = "StoppedParts";

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

interface HowFar {
  readonly key: string;
  readonly done: PartsDone;
  readonly firstLine: number;
  readonly isAborted: boolean;
}

/** The error with how far the work got and how to continue. Only the failing part was undone. */
function toldHowFar(error: unknown, { key, done, firstLine, isAborted }: HowFar): unknown {
  const before =
    done.ops === 0
      ? "Nothing was applied."
      : `The ${done.ops} ops before line ${firstLine} are applied: the same command with \`--idempotency-key ${key}\` goes on there, \`cairn undo --since change:0 --session ${key}\` takes them back.`;
  if (isAborted) return new StoppedParts(before, error);
  if (!isCairnError(error)) return error;
  const isOther = error.code === "conflict" && error.message.startsWith("idempotency_key");
  const what = isOther
    ? `idempotency_key: from line ${firstLine} on this is not what was applied as ${key}; only what follows the applied ops may change.`
    : reasonIn(error);
  return new CairnError(error.code, `${what} ${before}`, {
    ...(isPlainObject(error.details) && error.details),
    idempotency_key: key,
    applied: done.ops,
  });
}

function reasonIn(error: CairnError): string {
  const [first, ...others] = issuesOf(error) ?? [];
  if (first === undefined) return `${error.message.replace(/\.$/, "")}.`;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `line ${first.line}: ${first.message}${more}`;
}
