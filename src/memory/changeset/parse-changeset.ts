import type { Steps } from "../../shared/async.ts";
import type { ChangesetForm } from "./changeset-form.ts";
import type { ChangesetIssue } from "./changeset-issue.ts";
import { parseCompact } from "./parse-compact.ts";
import { parseJsonChangeset } from "./parse-json.ts";
import { AT_THE_START, type ChangesetStart, type ParsedChangeset } from "./parsed-op.ts";
import { checkRefs } from "./resolve-refs.ts";

/**
 * A changeset in either form: JSON when its first non-blank character is `[` or `{`, else compact.
 * `ops` leaves out what `issues` speak of; issues are in order of the ops. Never throws for what
 * the text holds. Pauses after each op.
 */
export function* parseChangeset(
  text: string,
  forms: ReadonlyMap<string, ChangesetForm>,
  start: ChangesetStart = AT_THE_START,
): Steps<ParsedChangeset> {
  const first = text.trimStart().charAt(0);
  const parse = first === "[" || first === "{" ? parseJsonChangeset : parseCompact;
  const { ops, issues: syntax } = yield* parse(text, forms, start);
  yield;
  const issues = [...syntax, ...checkRefs(ops, forms, start.names)].sort(byOp);
  const faulty = new Set(issues.map((issue) => issue.op_index));
  return { ops: ops.filter((op) => !faulty.has(op.opIndex)), issues };
}

function byOp(a: ChangesetIssue, b: ChangesetIssue): number {
  return a.op_index - b.op_index;
}
