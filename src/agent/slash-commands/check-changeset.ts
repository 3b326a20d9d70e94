import { type ChangesetIssue, issuesOf, type Memory } from "../../memory/index.ts";
import { invalidInput, isCairnError } from "../../shared/errors.ts";
import { fencedBlocks } from "../documents/find-json.ts";

interface Tried {
  readonly operations: number;
  readonly errors: readonly (Partial<ChangesetIssue> & { readonly message: string })[];
}

export interface CheckedChangeset {
  readonly changeset: string;
  readonly operations: number;
  /** One line an error of a trial run; undefined: it can be applied. */
  readonly errors: string | undefined;
}

/**
 * Takes the changeset out of a model's answer and tries it without effect. Throws invalid_input
 * when the answer holds none.
 */
export async function checkChangeset(
  memory: Memory,
  answer: string,
  signal: AbortSignal,
): Promise<CheckedChangeset> {
  const changeset = (fencedBlocks(answer.replace(/\r\n?/g, "\n")).at(-1) ?? answer).trim();
  if (changeset === "") throw invalidInput("The answer holds no changeset.");
  const tried = await tryChangeset(memory, changeset, signal);
  const errors = tried.errors.length === 0 ? undefined : describeErrors(tried.errors);
  return { changeset, operations: tried.operations, errors };
}

async function tryChangeset(
  memory: Memory,
  changeset: string,
  signal: AbortSignal,
): Promise<Tried> {
  try {
    const { results } = await memory.execute("apply", { changeset, dry_run: true }, { signal });
    return { operations: results.length, errors: [] };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { operations: 0, errors: issuesOf(error) ?? [{ message: error.message }] };
  }
}

function describeErrors(errors: Tried["errors"]): string {
  return errors
    .map(({ line, op, message }) => {
      const where = line === undefined ? "" : `line ${line}: `;
      return `${where}${op ? `${op}: ` : ""}${message}`;
    })
    .join("\n");
}
