import type { ModelClient, RequestedToolCall } from "../../llm/index.ts";
import type { Permit } from "../permission/permission.ts";
import type { FileWatch } from "../ports/checkpoint.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { Tool, ToolContext } from "../tools/define-tool.ts";
import type { ContextGauge } from "./context-gauge.ts";
import type { History, UserContent } from "./history.ts";
import type { Spending } from "./spending.ts";

export interface AgentRun {
  readonly client: ModelClient;
  readonly history: History;
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly toolContext: Omit<ToolContext, "callId" | "signal">;
  /** Decides about a call before its tool runs; absent: every call runs. */
  readonly permit?: (call: PermitCall) => Promise<Permit>;
  readonly limits: RunLimits;
  /** Keeps what tools are about to change. */
  readonly watch: FileWatch;
  readonly gauge: ContextGauge;
  readonly spending: Spending;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEventBody) => void;
  readonly knownOf?: (call: RequestedToolCall, signal: AbortSignal) => Promise<string>;
  readonly takeInput: () => Promise<readonly UserContent[]>;
}

export interface PermitCall {
  readonly callId: string;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

interface RunLimits {
  readonly maxSteps?: number | undefined;
  readonly parallelToolCalls: number;
  /** Share of the context window at which the history is replaced by a summary. */
  readonly handoverThreshold: number;
}
