import { escapeHidden } from "../../shared/json.ts";
import { stripControl } from "../../shared/text.ts";
import type { CommandLine } from "../command-line.ts";
import type { RecordForm } from "./write-records.ts";

export interface Result {
  readonly output: unknown;
  readonly asJson: boolean;
  readonly text?: string | undefined;
  /** Default: true. */
  readonly pager?: boolean;
  readonly form?: RecordForm;
  readonly isSentence?: boolean;
  /** The database written to, if it is not the user's default. */
  readonly database?: string | undefined;
}

export async function printResult(
  line: CommandLine,
  { output, asJson, text, database, isSentence = false, pager = true, form = {} }: Result,
): Promise<void> {
  if (asJson) {
    line.stdout.write(`${escapeHidden(output)}\n`);
    return;
  }
  const { isRecordForm, writeRecords } = await import("./write-records.ts");
  if (isRecordForm(form)) {
    const lines = writeRecords(output, form);
    if (lines.length > 0) line.stdout.write(`${lines.join("\n")}\n`);
    return;
  }
  if (text !== undefined && (isSentence || !line.stdout.isTTY)) {
    line.stdout.write(`${stripControl(text).trimEnd()}\n`);
    return;
  }
  const [{ renderOutput }, { detectStyle: getStyle }] = await Promise.all([
    import("./render-output.ts"),
    import("./style.ts"),
  ]);
  const { showInPager: pageOut } = await import("./show-in-pager.ts");
  const lines = renderOutput(output, {
    ...getStyle(line),
    ...(database !== undefined && { database }),
  });
  pageOut(line, lines, pager);
}
