import { inSavepoint } from "../../database/index.ts";
import { yieldToEventLoop } from "../../kernel/abort.ts";
import { CairnError, isCairnError } from "../../kernel/errors.ts";
import { isPlainObject } from "../../kernel/json.ts";
import { ChangesetFailed } from "../changeset/changeset-failed.ts";
import type { ChangesetForm } from "../changeset/changeset-form.ts";
import type { ChangesetIssue } from "../changeset/changeset-issue.ts";
import { mapIds } from "../changeset/map-ids.ts";
import { parseChangeset } from "../changeset/parse-changeset.ts";
import type { ParsedOp } from "../changeset/parsed-op.ts";
import { type MadeIds, resolveRefs } from "../changeset/resolve-refs.ts";
import type { MemoryLimits } from "../input/limits.ts";
import { validateInput } from "../input/validate-input.ts";
import type { OperationContext, RunnableOperation } from "./operation-context.ts";

export interface ApplyResult {
  readonly success: boolean;
  readonly dry_run: boolean;
  readonly results: OpResult[];
  readonly errors: ChangesetIssue[];
}

export interface OpResult {
  readonly op_index: number;
  readonly op: string;
  readonly success: boolean;
  readonly ref?: string;
  readonly [field: string]: unknown;
}

/** Timers and sockets get a turn after this many ops. */
const OPS_PER_TURN = 50;

/**
 * Runs the ops of a changeset in order, in the transaction of `context`. Every op is tried, each in
 * a savepoint, so that all errors are reported at once; any error undoes all. A dry run does the
 * same work and is rolled back. Throws changeset_failed, whose details are the ApplyResult.
 */
export async function applyChangeset(
  context: OperationContext,
  input: { changeset: string; dry_run: boolean },
): Promise<ApplyResult> {
  const table = opTable(context.operations);
  const parsed = parseChangeset(
    input.changeset,
    new Map([...table].map(([op, { form }]) => [op, form])),
  );
  checkSize(context.limits, parsed.ops.length + parsed.issues.length);
  const run = new ChangesetRun(context, table);
  for (const [index, op] of parsed.ops.entries()) {
    await run.step(op);
    if (index % OPS_PER_TURN === OPS_PER_TURN - 1) {
      context.options.signal?.throwIfAborted();
      context.options.onProgress?.({
        stage: "Applying",
        done: index + 1,
        total: parsed.ops.length,
      });
      await yieldToEventLoop();
    }
  }
  const errors = [...parsed.issues, ...run.errors].sort((a, b) => a.op_index - b.op_index);
  if (errors.length > 0) throw new ChangesetFailed(errors, input.dry_run);
  if (input.dry_run) context.rollBackAfterwards();
  return { success: true, dry_run: input.dry_run, results: run.results, errors: [] };
}

interface OpEntry {
  readonly operation: RunnableOperation;
  readonly form: ChangesetForm;
}

function opTable(operations: ReadonlyMap<string, RunnableOperation>): Map<string, OpEntry> {
  const table = new Map<string, OpEntry>();
  for (const operation of operations.values()) {
    const form = operation.changeset;
    if (form !== undefined) table.set(form.op, { operation, form });
  }
  return table;
}

function checkSize(limits: MemoryLimits, count: number): void {
  if (count <= limits.changesetOps) return;
  throw new CairnError(
    "too_large",
    `changeset: has ${count} ops and may have ${limits.changesetOps}; split it into several`,
  );
}

class ChangesetRun {
  readonly results: OpResult[] = [];
  readonly errors: ChangesetIssue[] = [];
  readonly #context: OperationContext;
  readonly #table: ReadonlyMap<string, OpEntry>;
  readonly #made = new Map<string, MadeIds>();

  constructor(context: OperationContext, table: ReadonlyMap<string, OpEntry>) {
    this.#context = context;
    this.#table = table;
  }

  async step(op: ParsedOp): Promise<void> {
    const entry = this.#table.get(op.op);
    if (entry === undefined) throw new Error(`The op ${op.op} is not in the table.`);
    try {
      const output = await inSavepoint(this.#context.tx, () => this.#run(op, entry));
      this.#record(op, isPlainObject(output) ? output : {});
    } catch (error) {
      if (!isCairnError(error)) throw error;
      this.#fail(op, entry.form, error);
    }
  }

  async #run(op: ParsedOp, { operation, form }: OpEntry): Promise<unknown> {
    const args = resolveRefs(op, form, this.#made);
    return operation.run(this.#context, validateInput(operation.input, args, op.op));
  }

  #record(op: ParsedOp, output: Record<string, unknown>): void {
    if (op.as !== undefined) this.#made.set(op.as, madeIds(output));
    this.results.push({
      ...output,
      op_index: op.opIndex,
      op: op.op,
      success: true,
      ...(op.as !== undefined && { ref: op.as }),
    });
  }

  #fail(op: ParsedOp, form: ChangesetForm, error: CairnError): void {
    if (this.#needsFailed(op, form)) return;
    this.errors.push({
      op_index: op.opIndex,
      line: op.line,
      op: op.op,
      code: error.code,
      message: error.message,
    });
  }

  /** Every name is declared by an earlier op; one that made nothing has its error told already. */
  #needsFailed(op: ParsedOp, form: ChangesetForm): boolean {
    return namesIn(op, form).some((name) => !this.#made.has(name));
  }
}

function namesIn(op: ParsedOp, form: ChangesetForm): string[] {
  const names: string[] = [];
  mapIds(op.args, form, (ref) => {
    names.push(ref.slice(1));
    return ref;
  });
  return names;
}

function madeIds(output: Record<string, unknown>): MadeIds {
  const { id, fact_id: fact } = output;
  if (typeof id !== "string") return {};
  if (typeof fact === "string") return { episode: id, fact };
  return id.startsWith("ep:") ? { episode: id } : { other: id };
}
