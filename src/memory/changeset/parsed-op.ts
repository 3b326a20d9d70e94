import { CairnError, type ErrorCode } from "../../shared/errors.ts";

/** One op of a changeset, its keys turned into the fields of the operation's input. */
export interface ParsedOp {
  readonly opIndex: number;
  readonly line: number;
  readonly op: string;
  /** Input of the operation; not yet checked against its schema, `$name`s not yet resolved. */
  readonly args: Record<string, unknown>;
  /** Name under which later ops refer to what this one makes, without `$`. */
  readonly as?: string;
}

export interface ChangesetStart {
  readonly op: number;
  readonly line: number;
  /** Names that the ops before it have made. */
  readonly names: ReadonlySet<string>;
}

export const AT_THE_START: ChangesetStart = { op: 0, line: 1, names: new Set() };

export interface ParsedChangeset {
  /** All ops that were recognised, in order; also those that an issue speaks of. */
  readonly ops: readonly ParsedOp[];
  /** Everything that is wrong, in order of the ops. */
  readonly issues: readonly ChangesetIssue[];
}

export interface ChangesetIssue {
  readonly op_index: number;
  /** Physical line, from 1. */
  readonly line: number;
  /** Name of the op as written; empty when the text broke before one was read. */
  readonly op: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export type OpPosition = Pick<ChangesetIssue, "op_index" | "line" | "op">;

export function malformed(position: OpPosition, message: string): ChangesetIssue {
  return { ...position, code: "invalid_input", message };
}

/** What `apply` says when nothing was applied; the details of the error. */
interface FailedChangeset {
  readonly success: false;
  readonly dry_run: boolean;
  readonly results: readonly never[];
  readonly errors: readonly ChangesetIssue[];
}

export class ChangesetFailed extends CairnError {
  declare readonly details: FailedChangeset;

  constructor(errors: readonly ChangesetIssue[], dryRun: boolean) {
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    const where = first === undefined ? "" : `line ${first.line}: ${first.message}`;
    const result: FailedChangeset = { success: false, dry_run: dryRun, results: [], errors };
    super("changeset_failed", `Nothing was applied. ${where}${more}`, result);
  }
}

export function issuesOf(error: unknown): readonly ChangesetIssue[] | undefined {
  return error instanceof ChangesetFailed ? error.details.errors : undefined;
}
