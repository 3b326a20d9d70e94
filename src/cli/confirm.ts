import { createInterface } from "node:readline/promises";
import type { CommandLine } from "./command-line.ts";

/** True if the person agrees; false where nobody can be asked. */
export async function confirm(
  { stdin, stderr }: Pick<CommandLine, "stdin" | "stderr">,
  question: string,
): Promise<boolean> {
  if (stdin.isTTY !== true) return false;
  const dialogue = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await dialogue.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    dialogue.close();
  }
}
