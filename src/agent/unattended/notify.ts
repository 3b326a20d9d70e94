import { execFile } from "node:child_process";
import { messageOf } from "../../shared/errors.ts";
import { shortenLine } from "../../shared/text.ts";

/** What the person is told, wherever they are. */
export interface Notice {
  readonly kind: "question" | "ended" | "waiting";
  readonly title: string;
  readonly text: string;
  readonly project: string;
  /** Of the run. */
  readonly run: string;
}

/** Tells the person; resolves with why it could not, if it could not. Never rejects. */
export type Notify = (notice: Notice) => Promise<string | undefined>;

const LIMIT_MS = 30_000;

/**
 * Runs the person's own command with the title and the text as its last two arguments and all of the
 * notice as JSON on its standard input; no shell reads any of it.
 */
export function notifyBy(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Notify {
  const [program, ...args] = command;
  if (program === undefined) return async () => undefined;
  return (notice) =>
    new Promise((resolve) => {
      const words = [...args, notice.title, notice.text];
      const options = { env: environment, timeout: LIMIT_MS, killSignal: "SIGKILL" as const };
      const child = execFile(program, words, options, (error, _stdout, stderr) => {
        if (error === null) return resolve(undefined);
        const said = shortenLine(stderr.trim() || messageOf(error), 200);
        resolve(`The command of "notify" failed: ${said}`);
      });
      // A command need not read it.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(`${JSON.stringify(notice)}\n`);
    });
}
