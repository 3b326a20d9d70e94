import { messageOf } from "../../shared/errors.ts";
import { silentLogger } from "../../shared/logger.ts";
import type { CommandLine } from "../command-line.ts";
import { type HookRun, readHookRun } from "./hook-run.ts";

export async function runHook(
  line: CommandLine,
  { words, options }: { words: readonly string[]; options: Readonly<Record<string, unknown>> },
  answer: (run: HookRun) => Promise<string | undefined>,
): Promise<void> {
  const startedAt = performance.now();
  const isReported = options.debug === true;
  const warn = (text: string) => {
    if (isReported) line.stderr.write(`cairn hook: ${text}\n`);
  };
  const later: (() => Promise<void>)[] = [];
  const afterwards = (work: () => Promise<void>) => void later.push(work);
  try {
    const quiet = isReported ? line : { ...line, logger: silentLogger };
    const printed = await answer(await readHookRun(quiet, words, { ...options, afterwards }));
    if (printed !== undefined) line.stdout.write(`${printed}\n`);
    warn(printed === undefined ? "nothing to report" : "answered");
  } catch (error) {
    // The hook's own process then does the work.
    if (line.longRunning !== undefined) throw error;
    warn(messageOf(error));
  } finally {
    for (const work of later) await work().catch((error: unknown) => warn(messageOf(error)));
  }
  warn(`${Math.round(performance.now() - startedAt)} ms`);
}
