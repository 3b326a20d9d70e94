import type { StoredCandidates } from "../../ingest/capture/index.ts";
import type { Effort } from "../../llm/index.ts";
import type { RecallReason } from "../../memory/index.ts";
import type { Undo } from "./checkpoint.ts";
import type { Choice, ProgressItem } from "./dialogue.ts";

/** Field names are those of protocol version 2. */
export type AgentEvent = AgentEventBody & {
  readonly threadId: string;
  /** Position among the events of this thread, from 1, without a gap. */
  readonly seq: number;
  readonly runId?: string;
};

export interface SubagentNews {
  readonly id: string;
  /** `contextLabel` of its output: `[explore]`. */
  readonly label: string;
  readonly name: string;
  readonly task: string;
  readonly callId: string;
  /** The delegating subagent; undefined: the thread itself. */
  readonly parent?: string;
  readonly state: "running" | "done" | "failed" | "stopped";
  /** At its end: usage, including that of subagents. */
  readonly spent?: PartSpent;
}

export interface PartSpent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost?: number;
}

/** `subagentId`: the subagent that it is about; undefined: the thread itself. */
export type AgentEventBody =
  | { readonly type: "thread.created" }
  | { readonly type: "thread.deleted" }
  | {
      readonly type: "assistant.delta";
      readonly text: string;
      readonly contextLabel?: string;
      readonly subagentId?: string;
    }
  | {
      readonly type: "assistant.done";
      readonly text: string;
      readonly usage?: TokenUsage;
      readonly contextLabel?: string;
      readonly subagentId?: string;
    }
  | {
      readonly type: "tool.call";
      readonly callId: string;
      readonly name: string;
      readonly args: unknown;
      readonly contextLabel?: string;
      readonly subagentId?: string;
    }
  | {
      readonly type: "tool.result";
      readonly callId: string;
      readonly name: string;
      readonly summary: string;
      readonly hasDiff: boolean;
      readonly diff?: string;
      /** Beginning and end of the model's result, if `summary` and `diff` omit it. */
      readonly output?: string;
      readonly isError?: boolean;
      readonly contextLabel?: string;
      readonly subagentId?: string;
    }
  | {
      readonly type: "status";
      readonly phase: StatusPhase;
      readonly message?: string;
      /** With `running`: the user's message that the run answers. */
      readonly said?: string;
      /** With `prompt`: the usual answers (`Dialogue.choose`). */
      readonly choices?: readonly Choice[];
      /** With `info`: the whole list (`Dialogue.progress`). */
      readonly progress?: readonly ProgressItem[];
      /** With `output`: the call whose command printed it. */
      readonly callId?: string;
      /** With `calling`: characters of the arguments so far. */
      readonly size?: number;
      /** With `idle`: unreported usage of a run that ended without text. */
      readonly usage?: TokenUsage;
      /** With `memory`: recalled; with `offer`: candidates; with `learned`: stored. */
      readonly memories?: readonly ShownMemory[];
      /** With `subagent`: its state. */
      readonly subagent?: SubagentNews;
      readonly subagentId?: string;
    }
  | { readonly type: "error"; readonly message: string; readonly code?: string };

export type StatusPhase =
  | "running"
  | "idle"
  | "queued"
  | "prompt"
  | "info"
  | "success"
  | "print"
  | "aborted"
  | "interjection"
  | "handover"
  | "memory"
  | "offer"
  | "learned"
  | "thinking"
  | "calling"
  | "output"
  | "subagent"
  | "resync";

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  /** US dollars since the thread was opened, if prices are known. */
  readonly cost?: number;
  /** 0..1 of the context window. */
  readonly contextUsed?: number;
  readonly contextSize?: number;
  readonly isWindowAssumed?: true;
}

export interface ThreadControl {
  readonly threadId: string;
  /** Emits `running` … `idle`. Never rejects for a failed or aborted run. */
  runTurn(text: string, options?: TurnOptions): Promise<TurnResult>;
  /** Runs `body` on an empty history and restores the earlier one afterwards. */
  withSeparateHistory<T>(body: () => Promise<T>): Promise<T>;
  clearHistory(): Promise<void>;
  reloadSystemPrompt(): Promise<void>;
  /** Replaces the history by a summary of the model (`status handover`). */
  handover(): Promise<TurnResult>;
  setEffort(effort: Effort): Promise<void>;
  readonly effort: Effort | undefined;
  /** Throws a CairnError if the provider does not list its models. */
  models(): Promise<readonly string[]>;
  readonly modelsKnownAt: string;
  setModel(model: string): Promise<void>;
  readonly undo: Undo;
  /** Stores offered memories, all or by number from 1. Undefined if none is offered. */
  keepOffers(numbers?: readonly number[]): Promise<StoredCandidates | undefined>;
  shownMemories(): readonly ShownMemory[];
  readonly model: string;
  readonly messageCount: number;
}

export interface ShownMemory {
  /** `ep:12`, `passage:3`, or the id of a concept. */
  readonly id: string;
  readonly text: string;
  readonly why?: RecallReason;
}

export interface TurnOptions {
  /** Names of the only tools that are offered; default: those of the settings. */
  readonly tools?: readonly string[];
  readonly systemAddition?: string;
  /** Answers `ask_user` calls; the tool is offered only with it. */
  readonly askUser?: (question: string, choices: readonly Choice[]) => Promise<string>;
  /** Only for text that the user typed: composed text may contain untrusted data. */
  readonly expandMentions?: boolean;
  /** Absolute paths that the user's command names: writing them asks nothing. */
  readonly consents?: readonly string[];
  /** First summarizes the conversation; `text` begins the new context. */
  readonly afresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface TurnResult {
  readonly outcome: "completed" | "failed" | "aborted";
  readonly text: string;
}
