import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import { shorten, stripControl } from "../../shared/text.ts";
import type { ManagedProcess } from "../processes/managed-process.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import { defineTool, type ToolContext, type ToolResult } from "./define-tool.ts";

const DEFAULT_TAIL_LINES = 40;

export const shellStatusTool = defineTool({
  name: "shell_status",
  description:
    "Manages background commands: `list` all; for one `id` `status`, `output` (start and end), " +
    "`tail` (`lines`, default 40) or `kill` with its children.",
  readOnly: false,
  touches: "nothing",
  input: z.strictObject({
    action: z.enum(["list", "status", "output", "tail", "kill"]),
    id: z.string().optional().describe("Needed for everything but list."),
    lines: z.number().int().min(1).max(2000).optional(),
  }),
  uses: () => [],
  async run({ processes }, { action, id, lines = DEFAULT_TAIL_LINES }) {
    if (action === "list") return listAll(processes);
    if (id === undefined) throw invalidInput(`id: ${action} needs the id of a process.`);
    const process = processes.get(id);
    if (action === "kill") await process.kill();
    const output = stripControl(process.output.text()).trimEnd();
    const text = {
      status: "",
      kill: "",
      output,
      tail: output.split("\n").slice(-lines).join("\n"),
    }[action];
    const head = describeProcess(process);
    return { text: text === "" ? head : `${text}\n${head}`, summary: head };
  },
});

function listAll(processes: ProcessTable): ToolResult {
  const all = processes.list();
  if (all.length === 0) return { text: "No command was started." };
  return { text: all.map(describeProcess).join("\n"), summary: `${all.length} commands` };
}

function describeProcess(process: ManagedProcess): string {
  const bytes = process.output.totalBytes;
  return `${process.id}: ${describeState(process)}, ${bytes} bytes of output: ${process.command}`;
}

const FOREGROUND_MS = 30_000;
const MAX_FOREGROUND_MS = 600_000;

export const shellTool = defineTool({
  name: "shell",
  description:
    "Runs a command with sh in the project folder, without input. After `timeout_ms` (default " +
    "30 000) it continues in the background under an id for shell_status; `background` starts it " +
    "there. A sandboxed command writes only to the project and private temporary folders, and " +
    "reaches the network only if the command shows it and it is allowed; each command has its own " +
    "network, so start a server and query it in one command. `npx tool` runs an installed tool; " +
    "`npx --yes tool` may fetch it. Returns output (start and end) and exit code.",
  readOnly: false,
  input: z.strictObject({
    command: z.string().trim().min(1),
    timeout_ms: z.number().int().min(1).max(MAX_FOREGROUND_MS).optional(),
    background: z.boolean().optional(),
  }),
  uses: ({ command }) => [{ kind: "command", command }],
  async run(
    { processes, signal, network, credential, readOnly, report },
    { command, timeout_ms = FOREGROUND_MS, background = false },
  ) {
    signal.throwIfAborted();
    const process = await processes.start(command, {
      network: network === true,
      ...(credential !== undefined && { credential }),
      readOnly: readOnly === true,
    });
    if (background) {
      return {
        text: `Runs in the background as ${process.id}.`,
        summary: formatCommandLine(process),
      };
    }
    const stopReports = reportTail(process, report);
    const outcome = await waitFor(process, timeout_ms, signal).finally(stopReports);
    if (outcome === "aborted") {
      await process.kill();
      return formatStopped(process);
    }
    return outcome === "ended" ? formatFinished(process) : formatRunning(process, timeout_ms);
  },
});

const REPORT_MS = 250;
const REPORTED_LINES = 5;
const REPORTED_WIDTH = 400;

/** Reports the last lines of output whenever they changed. */
function reportTail(process: ManagedProcess, report: ToolContext["report"]): () => void {
  if (report === undefined) return () => undefined;
  let message = "";
  const timer = setInterval(() => {
    const lines = stripControl(process.output.text()).trimEnd().split("\n");
    const tail = lines.slice(-REPORTED_LINES).map((line) => line.slice(0, REPORTED_WIDTH));
    const text = tail.join("\n");
    if (text === message) return;
    message = text;
    report(text);
  }, REPORT_MS);
  return () => clearInterval(timer);
}

async function waitFor(
  process: ManagedProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<"ended" | "aborted" | "timeout"> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  try {
    return await Promise.race([
      process.ended.then(() => "ended" as const),
      new Promise<"aborted">((resolve) => {
        onAbort = () => resolve("aborted");
        if (signal.aborted) onAbort();
        else signal.addEventListener("abort", onAbort, { once: true });
      }),
      new Promise<"timeout">((resolve) => {
        timer = setTimeout(() => resolve("timeout"), timeoutMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function formatFinished(process: ManagedProcess): ToolResult {
  const output = stripControl(process.output.text()).trimEnd();
  const text = output === "" ? "(no output)" : output;
  const state = describeState(process);
  const succeeded = process.state.phase === "ended" && process.state.exitCode === 0;
  const result = {
    text: `${text}\n${state}`,
    summary: `${formatCommandLine(process)}: ${state}`,
    comparableText: `${text}\n${describeExit(process)}`,
  };
  return succeeded ? result : { ...result, isError: true };
}

function formatStopped(process: ManagedProcess): ToolResult {
  const output = stripControl(process.output.text()).trimEnd();
  const note = "The user cancelled the run before the command had ended.";
  return {
    text: output === "" ? note : `${output}\n${note}`,
    summary: `${formatCommandLine(process)}: stopped`,
    isError: true,
  };
}

function formatRunning(process: ManagedProcess, timeoutMs: number): ToolResult {
  const output = stripControl(process.output.text()).trimEnd();
  const note = `Still running after ${timeoutMs} ms; it continues in the background as ${process.id}.`;
  return {
    text: output === "" ? note : `${output}\n${note}`,
    summary: `${formatCommandLine(process)}: in the background as ${process.id}`,
  };
}

function formatCommandLine(process: ManagedProcess): string {
  const line = process.command.split("\n", 1)[0] ?? "";
  return `$ ${shorten(line, 120)}`;
}

/** `exit code 1 after 2.1 s`, `running for 12.0 s`. */
function describeState(process: ManagedProcess, now = Date.now()): string {
  const { state, startedAt } = process;
  if (state.phase === "running") return `running for ${formatSeconds(now - startedAt)}`;
  const how = describeExit(process);
  return state.problem === undefined
    ? `${how} after ${formatSeconds(state.endedAt - startedAt)}`
    : how;
}

/** `exit code 1`, without the duration; empty while it runs. */
export function describeExit({ state }: ManagedProcess): string {
  if (state.phase === "running") return "";
  if (state.problem !== undefined) return `could not be started: ${state.problem}`;
  return state.exitCode === null ? `ended by ${state.signal}` : `exit code ${state.exitCode}`;
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
