import { stripControl } from "../../kernel/strip-control.ts";
import { visibleJson } from "../../kernel/visible-json.ts";
import type { CommandLine } from "../command-line.ts";

export interface Result {
  readonly output: unknown;
  readonly asJson: boolean;
  /** The answer as the operation itself words it, where it does. */
  readonly text?: string | undefined;
  /** Whether that is a sentence for people too. */
  readonly isSentence?: boolean;
  /** Where it was written, if that is not the user's own database. */
  readonly database?: string | undefined;
}

/** Prints what an operation answered, as one line of JSON or for reading. */
export async function printResult(
  line: CommandLine,
  { output, asJson, text, database, isSentence = false }: Result,
): Promise<void> {
  if (asJson) {
    line.stdout.write(`${visibleJson(output)}\n`);
    return;
  }
  // What recall says to an agent is what it says to a pipe.
  if (text !== undefined && (isSentence || !line.stdout.isTTY)) {
    line.stdout.write(`${stripControl(text).trimEnd()}\n`);
    return;
  }
  const [{ renderOutput }, { styleOf }] = await Promise.all([
    import("./render-output.ts"),
    import("./style.ts"),
  ]);
  const lines = renderOutput(output, {
    ...styleOf(line),
    ...(database !== undefined && { database }),
  });
  line.stdout.write(`${lines.join("\n")}\n`);
}
