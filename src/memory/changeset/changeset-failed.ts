import { CairnError } from "../../shared/errors.ts";
import type { ChangesetIssue } from "./changeset-issue.ts";

/** What `apply` says when nothing was applied; the details of the error. */
export interface FailedChangeset {
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

/** Everything that is wrong with a changeset, or undefined when the error is another one. */
export function issuesOf(error: unknown): readonly ChangesetIssue[] | undefined {
  return error instanceof ChangesetFailed ? error.details.errors : undefined;
}
