import type { RequestedToolCall } from "../../llm/index.ts";
import { messageOf } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { shorten, stripControl } from "../../shared/text.ts";
import {
  errorResult,
  readInput,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../tools/define-tool.ts";
import { canRunConcurrently } from "../tools/read-only-tools.ts";
import { toolOutcome } from "./history.ts";
import type { AgentRun } from "./write-handover.ts";

/** Time after a cancel until a tool is abandoned. */
const CANCEL_GRACE_MS = 5_000;
const MAX_SUMMARY_LENGTH = 400;
const MAX_RESULT = 50_000;
const OUTPUT_CHUNK_CHARACTERS = 2_000;
const CANCELLED_RESULT = errorResult("The user cancelled the run before this call had finished.");

export interface FinishedCall {
  readonly call: RequestedToolCall;
  readonly outcome: ReturnType<typeof toolOutcome>;
  readonly comparableText: string;
}

type ToolRun = Pick<
  AgentRun,
  "tools" | "toolContext" | "permit" | "limits" | "signal" | "emit" | "watch" | "knownOf"
>;

const MAX_CONCURRENT_READS = 8;

/** Neighboring read-only calls run concurrently. Every call gets a result, in call order. */
export async function runToolCalls(
  run: ToolRun,
  calls: readonly RequestedToolCall[],
): Promise<readonly FinishedCall[]> {
  const { parallelToolCalls: limit } = run.limits;
  if (limit > 1) return runConcurrently(run, calls, limit);
  const finished: FinishedCall[] = [];
  for (const group of groupCalls(calls))
    finished.push(...(await runConcurrently(run, group, MAX_CONCURRENT_READS)));
  return finished;
}

function groupCalls(calls: readonly RequestedToolCall[]): RequestedToolCall[][] {
  const groups: RequestedToolCall[][] = [];
  let mayJoin = false;
  for (const call of calls) {
    const joins = canRunConcurrently(call.name);
    if (joins && mayJoin) groups.at(-1)?.push(call);
    else groups.push([call]);
    mayJoin = joins;
  }
  return groups;
}

async function runConcurrently(
  run: ToolRun,
  calls: readonly RequestedToolCall[],
  limit: number,
): Promise<readonly FinishedCall[]> {
  const finished: FinishedCall[] = new Array(calls.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < calls.length; index = next++) {
      const call = calls[index] as RequestedToolCall;
      finished[index] = await runToolCall(run, call);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, calls.length) }, worker));
  return finished;
}

async function runToolCall(run: ToolRun, call: RequestedToolCall): Promise<FinishedCall> {
  const { callId, name } = call;
  if (run.signal.aborted) return finishCall(call, CANCELLED_RESULT);
  run.emit({ type: "tool.call", callId, name, args: call.input });
  const result = await runSelectedTool(run, call);
  const diff = result.diff === undefined ? undefined : stripControl(result.diff);
  run.emit({
    type: "tool.result",
    callId,
    name,
    summary: stripControl(result.summary ?? summarizeResult(result.text)),
    hasDiff: diff !== undefined && diff !== "",
    ...(diff === undefined || diff === "" ? formatOutput(result) : { diff }),
    ...(result.isError === true && { isError: true }),
  });
  return finishCall(call, result, await run.knownOf?.(call, run.signal));
}

function finishCall(call: RequestedToolCall, result: ToolResult, known = ""): FinishedCall {
  const { callId, name } = call;
  const isError = result.isError === true;
  const { pictures = [] } = result;
  const text = [limitResult(result.text), ...(known === "" ? [] : [known])].join("\n\n");
  const comparableText = result.comparableText ?? result.text;
  return { call, outcome: toolOutcome({ callId, name, text, isError, pictures }), comparableText };
}

/** Keeps the beginning and the end of a long result. */
function limitResult(text: string): string {
  if (text.length <= MAX_RESULT) return text;
  const half = MAX_RESULT / 2;
  const left = text.length - MAX_RESULT;
  return `${text.slice(0, half)}\n[… ${left} characters omitted …]\n${text.slice(-half)}`;
}

async function runSelectedTool(run: ToolRun, call: RequestedToolCall): Promise<ToolResult> {
  const tool = run.tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const known = run.tools.map(({ name }) => name);
    return errorResult(`There is no tool "${call.name}".${didYouMean(call.name, known)}`);
  }
  if (call.malformed !== undefined) return errorResult(call.malformed);
  const input = tool.checksInput
    ? { success: true as const, data: call.input }
    : readInput(tool, call.input);
  if (!input.success) return errorResult(describeIssues(tool, input.error.issues));
  try {
    const { callId } = call;
    const { signal } = run;
    const permit = await run.permit?.({ callId, tool, input: input.data, signal });
    if (permit?.allowed === false) return { ...errorResult(permit.text), summary: "Not run." };
    const context: ToolContext = {
      ...run.toolContext,
      callId,
      signal,
      network: permit?.network === true,
      ...(permit?.credential !== undefined && { credential: permit.credential }),
      readOnly: permit?.readOnly === true,
      ...(permit?.asProposal !== undefined && { asProposal: permit.asProposal }),
      report: (output) => run.emit({ type: "status", phase: "output", callId, message: output }),
      showProgress: (progress) => run.emit({ type: "status", phase: "info", progress }),
      paths: permit?.paths ?? run.toolContext.paths,
    };
    await announceChange({ watch: run.watch, paths: context.paths }, tool, input.data);
    return await untilCancelled(tool.run(context, input.data), run.signal);
  } catch (error) {
    return run.signal.aborted ? CANCELLED_RESULT : errorResult(messageOf(error));
  }
}

async function announceChange(
  { watch, paths }: Pick<ToolRun, "watch"> & Pick<ToolContext, "paths">,
  tool: Tool,
  input: object,
): Promise<void> {
  if (tool.readOnly || tool.touches === "nothing") return;
  if (tool.touches !== "path") return watch.willRunCommand();
  const path = "path" in input ? String(input.path) : "";
  const { absolute } = await paths.forWriting(path);
  await watch.willWrite(absolute);
}

/** Rejects some seconds after the cancel if the work does not end by itself. */
async function untilCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stopListening = new AbortController();
  const cancelled = new Promise<never>((_resolve, reject) => {
    const onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), CANCEL_GRACE_MS);
    };
    signal.addEventListener("abort", onAbort, { once: true, signal: stopListening.signal });
  });
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    stopListening.abort();
    clearTimeout(timer);
  }
}

function describeIssues(
  tool: Tool,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const lines = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`,
  );
  const fields = Object.keys(tool.input.shape).join(", ");
  return `The arguments of ${tool.name} are not valid: ${lines.join("; ")}. Its fields: ${fields}.`;
}

function formatOutput({ text, summary }: ToolResult): { output?: string } {
  const output = stripControl(text).trim();
  if (output === "" || output === (summary ?? output)) return {};
  if (output.length <= 2 * OUTPUT_CHUNK_CHARACTERS) return { output };
  return {
    output: `${output.slice(0, OUTPUT_CHUNK_CHARACTERS)}\n…\n${output.slice(-OUTPUT_CHUNK_CHARACTERS)}`,
  };
}

function summarizeResult(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return shorten(line, MAX_SUMMARY_LENGTH);
}
