import type { CliCommand } from "../cli-command.ts";

/** A shell that waits for longer is in the way; milliseconds since this process was started. */
const DEADLINE_MS = 150;

/** What completion scripts ask. It is silent, and late or failed it answers nothing. */
export const complete: CliCommand = {
  name: "__complete",
  summary: "Values for a line that is being written, one a line; completion scripts ask this",
  group: "Upkeep",
  hidden: true,
  example: 'cairn __complete "cairn show ep:"',
  configure(command) {
    command
      .argument("<line>", "the line in front of the cursor")
      .option("--wait", "answer however long it takes");
  },
  async run(line, [text = ""], options) {
    const { completeValues } = await import("../completion/complete-values.ts");
    const quiet = { ...line, logger: { ...line.logger, warn: () => undefined } };
    const found = completeValues(quiet, text).catch(() => []);
    const values = options.wait === true ? await found : await inTime(found);
    for (const { value, detail } of values) {
      if (onOneLine(value) !== value) continue;
      line.stdout.write(`${value}${detail === "" ? "" : `\t${onOneLine(detail)}`}\n`);
    }
    return undefined;
  },
};

/** A tab would begin the description, a line the next value. */
function onOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

async function inTime<T>(work: Promise<readonly T[]>): Promise<readonly T[]> {
  const { setTimeout } = await import("node:timers/promises");
  const left = Math.max(1, DEADLINE_MS - performance.now());
  return Promise.race([work, setTimeout(left, [] as const, { ref: false })]);
}
