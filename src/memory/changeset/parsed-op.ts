import { CairnError, type ErrorCode } from "../../shared/errors.ts";

export interface ParsedOp {
  readonly opIndex: number;
  readonly line: number;
  readonly op: string;
  /** Operation input before schema validation and `$name` resolution. */
  readonly args: Record<string, unknown>;
  readonly as?: string;
}

export interface ChangesetStart {
  readonly op: number;
  readonly line: number;
  readonly names: ReadonlySet<string>;
}

export const CHANGESET_START: ChangesetStart = { op: 0, line: 1, names: new Set() };

export interface ParsedChangeset {
  readonly ops: readonly ParsedOp[];
  readonly issues: readonly ChangesetIssue[];
}

export interface ChangesetIssue {
  readonly op_index: number;
  readonly line: number;
  /** Op name as written; empty if the text ended before one was read. */
  readonly op: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export type OpPosition = Pick<ChangesetIssue, "op_index" | "line" | "op">;

export function malformedIssue(position: OpPosition, message: string): ChangesetIssue {
  return { ...position, code: "invalid_input", message };
}

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

export function findIssues(error: unknown): readonly ChangesetIssue[] | undefined {
  return error instanceof ChangesetFailed ? error.details.errors : undefined;
}
