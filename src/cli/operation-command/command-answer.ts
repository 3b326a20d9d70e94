import { type MemoryEngine, type Operation, validateInput } from "../../memory/index.ts";
import { OWNER } from "../../shared/caller.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { RecordForm } from "../render/write-records.ts";
import { isListCommand } from "./command-fields.ts";

/** The operation's own text for its answer, for a pipe or as a sentence. */
export function textFor(
  operation: Operation,
  input: Record<string, unknown>,
  output: unknown,
): string | undefined {
  // An explained answer is shown in full, through a pipe too.
  if (isPlainObject(output) && "explain" in output) return undefined;
  if (operation.confirm === undefined) return operation.present?.(output).text;
  const each = operation.cli?.each ?? "";
  const ids = input[each];
  if (Array.isArray(ids)) return operation.confirm({ ...input, [each]: ids.join(", ") }, output);
  return operation.confirm(validateInput(operation.input, input, operation.name), output);
}

/** Lists can be written for other programs. */
export function formOf({ cli }: Operation, options: Readonly<Record<string, unknown>>): RecordForm {
  if (!isListCommand(cli)) return {};
  const { oneline, csv, columns, format } = options;
  return {
    oneline: oneline === true,
    csv: csv === true,
    columns: typeof columns === "string" ? columns : undefined,
    format: typeof format === "string" ? format : undefined,
  };
}

/** Adds what people are shown beside the answer. */
export async function withBeside(
  memory: MemoryEngine,
  { cli }: Operation,
  output: unknown,
): Promise<unknown> {
  if (cli?.beside === undefined || !isPlainObject(output)) return output;
  const { operation, input, tell } = cli.beside;
  const answer = await memory.executeNamed(operation, input, { caller: OWNER });
  const shown = tell === undefined ? answer : tell(answer);
  return shown === undefined ? output : { ...output, [operation]: shown };
}

export function withoutOmitted(operation: Operation, output: unknown): unknown {
  const omit = operation.cli?.omit ?? [];
  if (omit.length === 0 || !isPlainObject(output)) return output;
  return Object.fromEntries(Object.entries(output).filter(([name]) => !omit.includes(name)));
}

/** The sections of an answer that could not be given. */
export function failedSections(output: unknown): boolean {
  return (
    isPlainObject(output) &&
    Object.values(output).some(
      (part) => isPlainObject(part) && Object.keys(part).length === 1 && isErrorBody(part.error),
    )
  );
}

function isErrorBody(value: unknown): boolean {
  return (
    isPlainObject(value) && typeof value.code === "string" && typeof value.message === "string"
  );
}
