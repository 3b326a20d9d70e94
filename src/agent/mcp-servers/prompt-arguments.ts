import { invalidInput } from "../../shared/errors.ts";

export interface PromptArgument {
  readonly name: string;
  readonly required?: boolean | undefined;
}

/**
 * What was typed after a prompt's name, by the names of its arguments: `name=value` where a name is
 * known, the others in order, and the last takes all that is left. Quotes keep words together.
 * Throws invalid_input that names the argument that is missing.
 */
export function promptArguments(
  text: string,
  declared: readonly PromptArgument[],
): Record<string, string> {
  const given: Record<string, string> = {};
  const words = wordsOf(text);
  const loose: string[] = [];
  for (const word of words) {
    const at = word.indexOf("=");
    const name = at > 0 ? word.slice(0, at) : "";
    if (declared.some((argument) => argument.name === name)) given[name] = word.slice(at + 1);
    else loose.push(word);
  }
  const open = declared.filter(({ name }) => given[name] === undefined);
  for (const [index, { name }] of open.entries()) {
    const isLast = index === open.length - 1;
    const value = isLast ? loose.slice(index).join(" ") : loose[index];
    if (value !== undefined && value !== "") given[name] = value;
  }
  const missing = declared.find(({ name, required }) => required === true && !(name in given));
  if (missing !== undefined) {
    throw invalidInput(`The argument "${missing.name}" is missing: ${missing.name}=value.`);
  }
  return given;
}

function wordsOf(text: string): readonly string[] {
  const parts = text.match(/(?:"[^"]*"|'[^']*'|[^\s"']+|["'])+/g) ?? [];
  return parts.map((part) => part.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
