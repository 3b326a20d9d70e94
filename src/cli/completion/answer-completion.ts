import { silentLogger } from "../../kernel/logger.ts";
import type { QuickLine } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { completeValues } from "./complete-values.ts";
import type { CompletedValue } from "./completed-value.ts";

/** A shell that waits for longer is in the way; milliseconds since this process was started. */
const DEADLINE_MS = 150;

/**
 * Prints the values of a line that is being written, one a line with its description behind a tab.
 * It is silent, and late or failed it answers nothing; what still runs then ends with the process.
 */
export async function answerCompletion(
  line: QuickLine,
  [text = ""]: readonly string[],
): Promise<number> {
  const late = setTimeout(
    () => process.exit(EXIT.ok),
    Math.max(1, DEADLINE_MS - performance.now()),
  );
  await printValues(line, text);
  clearTimeout(late);
  return EXIT.ok;
}

/** The same, however long it takes. */
export async function printValues(line: QuickLine, text: string): Promise<void> {
  const quiet = { ...line, logger: silentLogger };
  const values: readonly CompletedValue[] = await completeValues(quiet, text).catch(() => []);
  const rows = values.filter(({ value }) => onOneLine(value) === value).map(rowOf);
  line.stdout.write(rows.join(""));
}

function rowOf({ value, detail }: CompletedValue): string {
  return `${value}${detail === "" ? "" : `\t${onOneLine(detail)}`}\n`;
}

/** A tab would begin the description, a line the next value. */
function onOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
