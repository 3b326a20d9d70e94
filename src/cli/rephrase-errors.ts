import { invalidInput, isCairnError } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";

export type ShellWords = Readonly<Record<string, string>>;

/** Rephrases an operation's errors in the command's own terms. */
export async function rephraseErrors<T>(
  words: ShellWords,
  action: () => Promise<T> | T,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw rephraseError(words, error);
  }
}

/** Other errors stay unchanged. */
export function rephraseError(words: ShellWords, error: unknown): unknown {
  if (!isCairnError(error) || error.code !== "invalid_input") return error;
  const issues = isPlainObject(error.details) ? error.details.issues : undefined;
  if (!Array.isArray(issues) || issues.length === 0) return error;
  const rewritten = issues.map((issue: { field: string; message: string }) => {
    const [field = "", ...inner] = issue.field.split(".");
    if (field === "") return issue.message;
    const word = words[field] ?? `--${field.replaceAll("_", "-")}`;
    return `${[word, ...inner].join(".")}: ${issue.message}`;
  });
  return invalidInput(rewritten.join("; "), error.details);
}
