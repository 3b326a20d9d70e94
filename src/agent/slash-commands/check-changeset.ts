import { z } from "zod";
import { invalidInput, isCairnError } from "../../kernel/errors.ts";
import type { Memory } from "../../memory/index.ts";
import { fencedBlocks } from "../documents/find-json.ts";

const applyResult = z.looseObject({
  success: z.boolean().default(false),
  results: z.array(z.unknown()).default([]),
  errors: z
    .array(
      z.looseObject({
        line: z.number().nullish(),
        op: z.string().nullish(),
        message: z.string(),
      }),
    )
    .default([]),
});

type ApplyResult = z.output<typeof applyResult>;

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
  const errors = tried.success ? undefined : describeErrors(tried);
  return { changeset, operations: tried.results.length, errors };
}

async function tryChangeset(
  memory: Memory,
  changeset: string,
  signal: AbortSignal,
): Promise<ApplyResult> {
  try {
    return applyResult.parse(
      await memory.execute("apply", { changeset, dry_run: true }, { signal }),
    );
  } catch (error) {
    if (!isCairnError(error)) throw error;
    const details = applyResult.safeParse(error.details);
    if (details.success && details.data.errors.length > 0) return details.data;
    return { success: false, results: [], errors: [{ message: error.message }] };
  }
}

function describeErrors({ errors }: ApplyResult): string {
  return errors
    .map((error) => {
      const where = error.line === undefined || error.line === null ? "" : `line ${error.line}: `;
      const operation = error.op ? `${error.op}: ` : "";
      return `${where}${operation}${error.message}`;
    })
    .join("\n");
}
