import { invalidInput, isCairnError } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/json.ts";

/** How the command calls a field of an operation's input; unnamed ones are options. */
export type ShellWords = Readonly<Record<string, string>>;

/** What an operation says against its input, with the words of the command that gave it. */
export async function inShellWords<T>(words: ShellWords, ask: () => Promise<T> | T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw toShellWords(words, error);
  }
}

/** The same of an error that was caught. Errors of another kind stay as they are. */
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
