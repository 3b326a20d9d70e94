import { invalidInput, isCairnError } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";

export type ShellWords = Readonly<Record<string, string>>;

/** Rewrites the errors of an operation in the words of the command that called it. */
export async function inShellWords<T>(words: ShellWords, ask: () => Promise<T> | T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw toShellWords(words, error);
  }
}

/** Rewrites a caught error in the same way. Errors of another kind stay as they are. */
export function toShellWords(words: ShellWords, error: unknown): unknown {
  if (!isCairnError(error) || error.code !== "invalid_input") return error;
  const issues = isPlainObject(error.details) ? error.details.issues : undefined;
  if (!Array.isArray(issues) || issues.length === 0) return error;
  const said = issues.map((issue: { field: string; message: string }) => {
    const [field = "", ...inner] = issue.field.split(".");
    if (field === "") return issue.message;
    const word = words[field] ?? `--${field.replaceAll("_", "-")}`;
    return `${[word, ...inner].join(".")}: ${issue.message}`;
  });
  return invalidInput(said.join("; "), error.details);
}
