import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../../../shared/errors.ts";
import { startProgram } from "../../../shared/programs.ts";
import { stripControl } from "../../../shared/text.ts";

export interface ProgramRequest {
  /** Program and arguments, run without a shell. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const MAX_OUTPUT_CHARACTERS = 1_000_000;
const MAX_ERROR_CHARACTERS = 300;

/**
 * Runs a program that reads a prompt from stdin and prints the response, such as a headless coding
 * agent. Uses an empty working directory so that it sees no project. Throws unavailable.
 */
export async function askProgram(
  { command, env, timeoutMs, signal }: ProgramRequest,
  question: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-learn-"));
  const [program = "", ...args] = command;
  const programError = (reason: string) =>
    new CairnError("unavailable", `learn.with: ${program} ${reason}. Nothing was learned.`);
  try {
    const child = startProgram(program, args, {
      ...{ cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      killSignal: "SIGKILL",
    });
    const [answer, complaint] = [
      readOutput(child.stdout, MAX_OUTPUT_CHARACTERS),
      readOutput(child.stderr, 10_000),
    ];
    // Programs may exit without reading all input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(question);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    if (code === 0) return await answer;
    const failureReason = stripControl(await complaint)
      .trim()
      .slice(-MAX_ERROR_CHARACTERS);
    throw programError(
      `ended with ${code ?? "a signal"}${failureReason === "" ? "" : `: ${failureReason}`}`,
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CairnError) throw error;
    const isLate = error instanceof Error && error.name === "AbortError";
    throw programError(
      isLate ? `did not respond within ${timeoutMs / 1000} s` : "cannot be started",
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readOutput(stream: NodeJS.ReadableStream, limit: number): Promise<string> {
  stream.setEncoding("utf8");
  let text = "";
  for await (const chunk of stream) {
    if (text.length < limit) text += String(chunk);
  }
  return text.slice(0, limit);
}
