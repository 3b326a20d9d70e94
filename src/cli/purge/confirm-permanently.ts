import { createInterface } from "node:readline/promises";
import { invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";

/** Confirms permanent removal. Throws invalid_input without a terminal. */
export async function confirmPermanently(line: CommandLine, items: string): Promise<boolean> {
  if (line.stdin.isTTY !== true || line.stdout.isTTY !== true) {
    throw invalidInput("--yes: is required without a terminal, since a purge cannot be undone");
  }
  const dialogue = createInterface({ input: line.stdin, output: line.stdout });
  try {
    const question = `Purge ${items} permanently? This cannot be undone. [y/N] `;
    const answer = await dialogue.question(question, { signal: line.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    dialogue.close();
  }
}
