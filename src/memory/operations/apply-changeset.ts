import { inSavepoint } from "../../database/index.ts";
import { EventLoopYielder, runSteps, yieldToEventLoop } from "../../shared/async.ts";
import { CairnError, isCairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { ChangesetForm } from "../changeset/changeset-form.ts";
import { createForm, mapIds } from "../changeset/changeset-form.ts";
import { parseChangeset } from "../changeset/parse-changeset.ts";
import type { ChangesetIssue, ParsedChangeset, ParsedOp } from "../changeset/parsed-op.ts";
import { ChangesetFailed } from "../changeset/parsed-op.ts";
import { type CreatedIds, resolveRefs } from "../changeset/resolve-refs.ts";
import { requireVersion } from "../history/require-version.ts";
import type { MemoryLimits } from "../input/limits.ts";
import { validateInput } from "../input/validate-input.ts";
import type { OperationContext, RunnableOperation } from "./operation-context.ts";

export interface ChangesetInput {
  readonly changeset: string;
  readonly dry_run: boolean;
  readonly continues?: ContinuedChangeset | undefined;
  /** `summary`: counts by op and the ids of named results. */
  readonly answer?: "each" | "summary" | undefined;
}

export interface ContinuedChangeset {
  readonly op: number;
  readonly line: number;
  readonly names: Readonly<Record<string, { id: string; fact_id?: string | undefined }>>;
}

export interface ApplyResult {
  readonly success: boolean;
  readonly dry_run: boolean;
  readonly results: OpResult[];
  readonly counts?: Record<string, number>;
  readonly errors: ChangesetIssue[];
}

export interface OpResult {
  readonly op_index: number;
  readonly op: string;
  readonly success: boolean;
  readonly ref?: string;
  readonly [field: string]: unknown;
}

/** Ops between yields to the event loop. */
const OPS_PER_TURN = 50;
/** Texts up to this length are parsed in a few milliseconds. */
const LARGE_TEXT_CHARACTERS = 64 * 1024;

/**
 * Runs a changeset in the transaction of `context`. Reports all errors; any error reverts
 * everything. A dry run is rolled back. Throws changeset_failed with the ApplyResult as details.
 */
export async function applyChangeset(
  context: OperationContext,
  input: ChangesetInput,
): Promise<ApplyResult> {
  const table = createOpTable(context.operations);
  const isLarge = input.changeset.length > LARGE_TEXT_CHARACTERS;
  if (isLarge) await yieldToEventLoop();
  const forms = new Map([...table].map(([op, { form }]) => [op, form]));
  const made = new Map(
    Object.entries(input.continues?.names ?? {}).map(([name, ids]) => [
      name,
      collectCreatedIds(ids),
    ]),
  );
  const { op = 0, line = 1 } = input.continues ?? {};
  const start = { op, line, names: new Set(made.keys()) };
  const parsed = await runSteps(parseChangeset(input.changeset, forms, start));
  if (isLarge) await yieldToEventLoop();
  checkSize(context.limits, parsed.ops.length + parsed.issues.length);
  const run = await runOps(context, { table, made }, parsed);
  const errors = [...parsed.issues, ...run.errors].sort((a, b) => a.op_index - b.op_index);
  if (errors.length > 0) throw new ChangesetFailed(errors, input.dry_run);
  if (input.dry_run) context.rollBackAfterwards();
  const reported = { success: true, dry_run: input.dry_run, errors: [] };
  if (input.answer !== "summary") return { ...reported, results: run.results };
  return { ...reported, ...summarizeResults(run.results) };
}

function summarizeResults(results: readonly OpResult[]): Pick<ApplyResult, "results" | "counts"> {
  const counts: Record<string, number> = {};
  for (const { op } of results) counts[op] = (counts[op] ?? 0) + 1;
  const named = results.flatMap(({ op_index, op, success, id, fact_id, ref }) =>
    ref === undefined
      ? []
      : [{ op_index, op, success, id, ...(fact_id !== undefined && { fact_id }), ref }],
  );
  return { results: named, counts };
}

/**
 * Most changesets are valid, so all ops first share one savepoint. On failure they rerun in
 * separate savepoints to report each error.
 */
async function runOps(
  context: OperationContext,
  input: RunInput,
  parsed: ParsedChangeset,
): Promise<ChangesetRun> {
  const combined = new ChangesetRun(context, input);
  const each = new ChangesetRun(context, input);
  const one = parsed.ops.map((op): [ParsedOp] => [op]);
  const tryEach = () => runInTurns(context, one, ([op]) => each.tryAlone(op));
  if (parsed.issues.length > 0) {
    await tryEach();
    return each;
  }
  try {
    const runs = combined.inRuns(parsed.ops);
    await inSavepoint(context.tx, () => runInTurns(context, runs, (ops) => combined.runAll(ops)));
    return combined;
  } catch (error) {
    if (!isCairnError(error)) throw error;
    await tryEach();
    if (each.errors.length === 0) throw error;
    return each;
  }
}

async function runInTurns<Ops extends readonly ParsedOp[]>(
  { options }: OperationContext,
  runs: readonly Ops[],
  run: (ops: Ops) => Promise<void>,
): Promise<void> {
  const total = runs.reduce((sum, ops) => sum + ops.length, 0);
  let done = 0;
  let reported = OPS_PER_TURN;
  const turn = new EventLoopYielder();
  for (const ops of runs) {
    await run(ops);
    done += ops.length;
    await turn.yieldIfDue();
    if (done < reported) continue;
    reported = done + OPS_PER_TURN;
    options.signal?.throwIfAborted();
    options.onProgress?.({ stage: "Applying", done, total });
  }
}

interface OpEntry {
  readonly operation: RunnableOperation;
  readonly form: ChangesetForm;
}

interface RunInput {
  readonly table: ReadonlyMap<string, OpEntry>;
  readonly made: ReadonlyMap<string, CreatedIds>;
}

function createOpTable(operations: ReadonlyMap<string, RunnableOperation>): Map<string, OpEntry> {
  const table = new Map<string, OpEntry>();
  for (const operation of operations.values()) {
    const { changeset, input } = operation;
    if (changeset === undefined) continue;
    table.set(changeset.op, { operation, form: createForm(changeset, input) });
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
  readonly #created: Map<string, CreatedIds>;

  constructor(context: OperationContext, { table, made }: RunInput) {
    this.#context = context;
    this.#table = table;
    this.#created = new Map(made);
  }

  inRuns(ops: readonly ParsedOp[]): ParsedOp[][] {
    const runs: ParsedOp[][] = [];
    for (const op of ops) {
      const { operation, form } = this.#entry(op);
      const run = runs.at(-1);
      const goesOn =
        operation.runTogether !== undefined &&
        run?.[0]?.op === op.op &&
        run.length < OPS_PER_TURN &&
        collectNames(op, form).length === 0;
      if (goesOn) run.push(op);
      else runs.push([op]);
    }
    return runs;
  }

  async runAll(ops: readonly ParsedOp[]): Promise<void> {
    const [first, second] = ops;
    if (first === undefined) return;
    if (second === undefined) return this.run(first);
    const { operation, form } = this.#entry(first);
    const inputs = ops.map((op) =>
      validateInput(operation.input, resolveRefs(op, form, this.#created), op.op),
    );
    const outputs = (await operation.runTogether?.(this.#context, inputs)) ?? [];
    for (const [index, op] of ops.entries()) {
      const output = outputs[index];
      this.#record(op, isPlainObject(output) ? output : {});
    }
  }

  async run(op: ParsedOp): Promise<void> {
    const { operation, form } = this.#entry(op);
    const args = resolveRefs(op, form, this.#created);
    const input = validateInput(operation.input, args, op.op);
    const output = await operation.run(
      this.#context,
      await requireVersion(this.#context.tx, operation, input),
    );
    this.#record(op, isPlainObject(output) ? output : {});
  }

  async tryAlone(op: ParsedOp): Promise<void> {
    try {
      await inSavepoint(this.#context.tx, () => this.run(op));
    } catch (error) {
      if (!isCairnError(error)) throw error;
      this.#fail(op, this.#entry(op).form, error);
    }
  }

  #entry(op: ParsedOp): OpEntry {
    const entry = this.#table.get(op.op);
    if (entry === undefined) throw new Error(`The op ${op.op} is not in the table.`);
    return entry;
  }

  #record(op: ParsedOp, output: Record<string, unknown>): void {
    if (op.as !== undefined) this.#created.set(op.as, collectCreatedIds(output));
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

  #needsFailed(op: ParsedOp, form: ChangesetForm): boolean {
    return collectNames(op, form).some((name) => !this.#created.has(name));
  }
}

function collectNames(op: ParsedOp, form: ChangesetForm): string[] {
  const names: string[] = [];
  mapIds(op.args, form, (ref) => {
    names.push(ref.slice(1));
    return ref;
  });
  return names;
}

function collectCreatedIds(output: Record<string, unknown>): CreatedIds {
  const { id, fact_id: fact } = output;
  if (typeof id !== "string") return {};
  if (typeof fact === "string") return { episode: id, fact };
  return id.startsWith("ep:") ? { episode: id } : { other: id };
}
