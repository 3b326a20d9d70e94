import { invalidInput, messageOf } from "../../../shared/errors.ts";
import { type ImportInput, readText } from "../import-input.ts";

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
