import type { ChangesetIssue } from "./changeset-issue.ts";

/** One op of a changeset, its keys turned into the fields of the operation's input. */
export interface ParsedOp {
  /** Position in the changeset, from 0. */
  readonly opIndex: number;
  /** Physical line on which it starts, from 1. */
  readonly line: number;
  readonly op: string;
  /** Input of the operation; not yet checked against its schema, `$name`s not yet resolved. */
  readonly args: Record<string, unknown>;
  /** Name under which later ops refer to what this one makes, without `$`. */
  readonly as?: string;
}

export interface ChangesetStart {
  /** Position of its first op in the whole, from 0. */
  readonly op: number;
  /** Physical line of the whole on which it starts, from 1. */
  readonly line: number;
  /** Names that the ops before it have made. */
  readonly names: ReadonlySet<string>;
}

/** A changeset that is whole. */
export const AT_THE_START: ChangesetStart = { op: 0, line: 1, names: new Set() };

export interface ParsedChangeset {
  /** All ops that were recognised, in order; also those that an issue speaks of. */
  readonly ops: readonly ParsedOp[];
  /** Everything that is wrong, in order of the ops. */
  readonly issues: readonly ChangesetIssue[];
}
