import type { ErrorCode } from "../../shared/errors.ts";

/** One thing wrong with one op, in the shape in which apply reports it. */
export interface ChangesetIssue {
  /** Position of the op, from 0; ops that failed to parse are counted too. */
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
