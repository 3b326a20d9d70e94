import type { z } from "zod";
import { invalidInput, messageOf } from "../../../shared/errors.ts";
import { type ImportInput, readText } from "../import-input.ts";
import type { SkippedRecord } from "../imported-record.ts";

export interface ValidRecord<T> {
  readonly kind: "valid";
  readonly value: T;
  readonly where: string;
}

/** Yields entries that match the schema; reports the others as skipped. */
export function* validateRecords<Schema extends z.ZodType>(
  list: readonly unknown[],
  name: string,
  schema: Schema,
): Generator<ValidRecord<z.output<Schema>> | SkippedRecord> {
  for (const [index, item] of list.entries()) {
    const where = `${name}[${index}]`;
    const { data, error } = schema.safeParse(item);
    if (data !== undefined) yield { kind: "valid", value: data, where };
    else yield { kind: "skipped", where, reason: formatFirstIssue(error) };
  }
}

function formatFirstIssue(error: z.ZodError | undefined): string {
  const issue = error?.issues[0];
  if (issue === undefined) return "has an unexpected structure";
  return `${issue.path.join(".") || "record"}: ${issue.message}`;
}

export async function readJsonDocument(input: ImportInput): Promise<unknown> {
  return parseJsonText(await readText(input), input.label);
}

export function parseJsonText(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput(
      `file: ${label} is not valid JSON (${messageOf(error)}); check that it is complete`,
    );
  }
}
