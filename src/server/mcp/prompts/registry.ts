import { invalidInput } from "../../../shared/errors.ts";
import { didYouMean } from "../../../shared/nearest.ts";
import type { McpPrompt } from "./triage-conflicts.prompt.ts";
import { consolidate, startSession, triageConflicts } from "./triage-conflicts.prompt.ts";

export const mcpPrompts: readonly McpPrompt[] = [startSession, consolidate, triageConflicts];

/** Returns a prompt's text. Throws invalid_input for an unknown name or argument. */
export function promptText(
  name: string,
  values: Readonly<Record<string, string>>,
  tools: ReadonlySet<string>,
) {
  const prompt = mcpPrompts.find((known) => known.name === name);
  if (prompt === undefined) {
    const names = mcpPrompts.map((known) => known.name);
    throw invalidInput(`There is no prompt "${name}".${didYouMean(name, names)}`);
  }
  const known = prompt.arguments.map((argument) => argument.name);
  for (const value of Object.keys(values)) {
    if (known.includes(value)) continue;
    throw invalidInput(`${name}: unknown argument "${value}".${didYouMean(value, known)}`);
  }
  return { description: prompt.description, text: prompt.text(values, tools) };
}
