import type { Operation } from "../../memory/index.ts";
import type { CommandLine } from "../command-line.ts";

export interface Result {
  readonly operation: Operation;
  readonly output: unknown;
  readonly asJson: boolean;
}

/** Prints what an operation answered, as JSON or for reading. */
export function printResult(line: CommandLine, { output, asJson }: Result): void {
  if (asJson) line.stdout.write(`${JSON.stringify(output)}\n`);
  else line.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
}
