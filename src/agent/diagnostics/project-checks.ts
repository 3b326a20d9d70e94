import { stripControl } from "../../shared/text.ts";
import type { AgentSettings } from "../settings.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/define-tool.ts";
import { expandBraces, globMatcher } from "../tools/glob-pattern.ts";

/** Lines of a check's output that contain a location or an error. */
const DIAGNOSTIC_LINE = /[:(]\d+([:,]\d+)?\)?|\berror\b|\bwarning\b|^\s*(-->|E\d+|✖|×)/i;

function errorLines(output: string): readonly string[] {
  return output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => DIAGNOSTIC_LINE.test(line));
}

/** Returns lines that occur more often than before. Numbers are ignored: errors move. */
export function newErrors(before: readonly string[], now: readonly string[]): readonly string[] {
  const known = new Map<string, number>();
  for (const line of before)
    known.set(normalizeLine(line), (known.get(normalizeLine(line)) ?? 0) + 1);
  return now.filter((line) => {
    const shape = normalizeLine(line);
    const left = known.get(shape) ?? 0;
    known.set(shape, left - 1);
    return left <= 0;
  });
}

function normalizeLine(line: string): string {
  return line.replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
}

const MAX_LINES = 30;
const MAX_LINE_LENGTH = 500;

type Check = AgentSettings["checks"][number];
type CheckContext = Pick<ToolContext, "processes" | "signal">;

type Checked = { readonly errors: readonly string[] } | { readonly problem: string };

/** Runs the project's checks after edits and reports new errors. */
export class ProjectChecks {
  readonly #checks: readonly Check[];
  readonly #known = new Map<string, readonly string[]>();
  /** Serialized: concurrent edits would be blamed for each other's errors. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(checks: readonly Check[]) {
    this.#checks = checks;
  }

  around(tool: Tool): Tool {
    if (this.#checks.length === 0 || tool.touches !== "path") return tool;
    return {
      ...tool,
      run: (context, input) => {
        const path = "path" in input ? String(input.path) : "";
        const checks = this.#checks.filter((check) => checkApplies(check, path));
        if (checks.length === 0) return tool.run(context, input);
        const work = this.#last.then(() => this.#edit(checks, { tool, context, input }));
        this.#last = work.catch(() => undefined);
        return work;
      },
    };
  }

  async #edit(
    checks: readonly Check[],
    call: { readonly tool: Tool; readonly context: ToolContext; readonly input: never | object },
  ): Promise<ToolResult> {
    const { tool, context, input } = call;
    for (const check of checks) {
      if (!this.#known.has(check.command)) await this.#look(check, context);
    }
    const result = await tool.run(context, input as never);
    if (result.isError === true || (result.diff ?? "") === "") return result;
    const notes: string[] = [];
    for (const check of checks) {
      const before = this.#known.get(check.command) ?? [];
      const checked = await this.#look(check, context);
      const note = "problem" in checked ? checked.problem : describe(check, before, checked.errors);
      if (note !== "") notes.push(note);
    }
    if (notes.length === 0) return result;
    const [summary = ""] = (result.summary ?? result.text).split("\n", 1);
    return {
      ...result,
      text: [result.text, ...notes].join("\n\n"),
      summary: `${summary}; ${notes.map((note) => note.split("\n", 1)[0]).join(" ")}`,
    };
  }

  async #look(check: Check, context: CheckContext): Promise<Checked> {
    const checked = await run(check, context);
    if ("errors" in checked) this.#known.set(check.command, checked.errors);
    return checked;
  }
}

function checkApplies({ files }: Check, path: string): boolean {
  if (files === undefined) return true;
  const plain = path.replace(/^(\.?\/)+/, "");
  return expandBraces(files).some((pattern) => globMatcher(pattern)(plain));
}

async function run(
  { command, timeoutMs }: Check,
  { processes, signal }: CheckContext,
): Promise<Checked> {
  signal.throwIfAborted();
  const process = await processes.start(command);
  let timer: NodeJS.Timeout | undefined;
  const stop = new AbortController();
  const outcome = await Promise.race([
    process.ended.then(() => "ended" as const),
    new Promise<"timeout">((resolve) => {
      timer = setTimeout(() => resolve("timeout"), timeoutMs);
    }),
    new Promise<"aborted">((resolve) => {
      signal.addEventListener("abort", () => resolve("aborted"), {
        once: true,
        signal: stop.signal,
      });
    }),
  ]);
  clearTimeout(timer);
  stop.abort();
  if (outcome !== "ended") await process.kill();
  signal.throwIfAborted();
  if (outcome === "timeout") {
    return { problem: `The check \`${command}\` took longer than ${timeoutMs / 1000} s.` };
  }
  const { state } = process;
  if (state.phase === "ended" && state.exitCode === 0) return { errors: [] };
  const output = stripControl(process.output.text());
  const isMissing = state.phase === "ended" && state.exitCode === 127;
  if (isMissing) return { problem: `The check \`${command}\` could not be run: ${output.trim()}` };
  return { errors: errorLines(output) };
}

function describe({ command }: Check, before: readonly string[], now: readonly string[]): string {
  const added = newErrors(before, now);
  if (added.length === 0) return "";
  const listed = added.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
  const more = added.length - listed.length;
  const rest = more > 0 ? [`… and ${more} more lines`] : [];
  return [`After this edit \`${command}\` reports new problems:`, ...listed, ...rest].join("\n");
}
