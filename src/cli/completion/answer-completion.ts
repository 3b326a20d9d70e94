import { silentLogger } from "../../shared/logger.ts";
import type { QuickLine } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { completeValues } from "./complete-values.ts";
import type { CompletedValue } from "./completed-value.ts";

/** Milliseconds since process start. */
const DEADLINE_MS = 150;

/**
 * Prints one completion per line, with a description after a tab. Prints nothing on failure or
 * timeout; pending work ends with the process.
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

export async function printValues(line: QuickLine, text: string): Promise<void> {
  const quiet = { ...line, logger: silentLogger };
  const values: readonly CompletedValue[] = await completeValues(quiet, text).catch(() => []);
  const rows = values.filter(({ value }) => toOneLine(value) === value).map(formatRow);
  line.stdout.write(rows.join(""));
}

function formatRow({ value, detail }: CompletedValue): string {
  return `${value}${detail === "" ? "" : `\t${toOneLine(detail)}`}\n`;
}

/** Tabs and newlines separate completions and descriptions. */
function toOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
