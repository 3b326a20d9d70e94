import type { DaemonRequest } from "../../app/daemon/index.ts";
import { arrangeArgs } from "../arrange-args.ts";
import { commands } from "../commands/index.ts";
import { OPERATION_SUMMARIES } from "../operation-summaries.ts";

/** Commands other than operations that read or write the memory and end soon. */
const OF_ITS_OWN: readonly string[] = [
  "apply",
  "show",
  "log",
  "list databases",
  "hook",
  "__complete",
];
/** Commands that draw progress and report on Ctrl-C how far they got. */
const ASKS_A_TERMINAL: readonly string[] = ["apply"];

/** The command that the words name, if a long-lived process may run it for another process. */
export function namedCommand({ args, stderr }: DaemonRequest): string | undefined {
  const { name: word = "" } = arrangeArgs(args, [...commands, ...OPERATION_SUMMARIES]);
  if (OF_ITS_OWN.includes(word)) {
    return stderr.isTTY === true && ASKS_A_TERMINAL.includes(word) ? undefined : word;
  }
  const isOperation = OPERATION_SUMMARIES.some(
    ({ name, aliases }) => name === word || aliases?.includes(word) === true,
  );
  return isOperation ? word : undefined;
}
