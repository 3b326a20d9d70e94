import { spawn } from "node:child_process";
import { stripControl } from "../../shared/text.ts";
import type { FinishedTool } from "../state/screen.ts";

/** Of the output, its end. */
const KEPT = 32_000;
const LONGEST_MS = 120_000;

/** Runs what a person typed after `!` in the project, with their own rights; it gets no input. */
export function runShellLine(command: string, cwd: string): Promise<FinishedTool> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LONGEST_MS,
    });
    let output = "";
    const add = (chunk: string) => {
      output = (output + chunk).slice(-KEPT);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", add);
    const end = (summary: string, isError: boolean) =>
      resolve({
        kind: "tool",
        name: "!",
        about: stripControl(command).replace(/\s+/g, " "),
        summary,
        output: stripControl(output).trimEnd(),
        isError,
        unfolded: true,
      });
    child.once("error", (error) => end(error.message, true));
    child.once("close", (code, signal) =>
      end(code === 0 ? "" : (signal ?? `exit code ${code}`), code !== 0),
    );
  });
}
