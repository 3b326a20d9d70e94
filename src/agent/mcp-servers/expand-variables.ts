import { invalidInput } from "../../shared/errors.ts";

/** `${NAME}` or `${NAME:-default}`. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** The text with variables put in. Throws invalid_input that names one that is not set. */
export function expandVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return text.replace(VARIABLE, (_whole, name: string, fallback: string | undefined) => {
    const value = environment[name] ?? fallback;
    if (value === undefined) {
      throw invalidInput(`The variable ${name} is not set. Set it, or write \${${name}:-default}.`);
    }
    return value;
  });
}

export function expandAll(
  texts: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expandVariables(text, environment)]),
  );
}
