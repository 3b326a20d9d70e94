import type { Choice, ProgressItem } from "./dialogue.ts";
import type { ShownMemory } from "./thread-control.ts";

/** What a thread tells its listeners. Field names are those of protocol version 2. */
export type AgentEvent = AgentEventBody & {
  readonly threadId: string;
  /** Position among the events of this thread, from 1, without a gap. */
  readonly seq: number;
  /** Set while a run is active. */
  readonly runId?: string;
};

export interface SubagentNews {
  readonly id: string;
  /** `[explore]`: the `contextLabel` of what it says and does. */
  readonly label: string;
  readonly name: string;
  readonly task: string;
  /** The call by which it was handed on. */
  readonly callId: string;
  /** The subagent that handed it on; undefined: the thread itself. */
  readonly parent?: string;
  readonly state: "running" | "done" | "failed" | "stopped";
  /** Once it has ended: what it took, what it handed on included. */
  readonly spent?: PartSpent;
}

export interface PartSpent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars, where prices are known. */
  readonly cost?: number;
}

/** `subagentId`: which subagent of the thread it is about; undefined: the thread itself. */
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
      /** The deltas of one step, joined. */
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
      /** Plain text without terminal codes. */
      readonly summary: string;
      readonly hasDiff: boolean;
      /** Unified diff. */
      readonly diff?: string;
      /** Beginning and end of what the model got, where `summary` and `diff` leave it out. */
      readonly output?: string;
      readonly isError?: boolean;
      readonly contextLabel?: string;
      readonly subagentId?: string;
    }
  | {
      readonly type: "status";
      readonly phase: StatusPhase;
      readonly message?: string;
      /** With `running`: the message that the run answers, as the person wrote it. */
      readonly said?: string;
      /** With `prompt`: what most answers are (`Dialogue.choose`). */
      readonly choices?: readonly Choice[];
      /** With `info`: the whole list as it stands now (`Dialogue.progress`). */
      readonly progress?: readonly ProgressItem[];
      /** With `output`: the call whose command says it. */
      readonly callId?: string;
      /** With `calling`: characters of the arguments so far. */
      readonly size?: number;
      /** With `idle`: what was not reported yet, where the run ended without words. */
      readonly usage?: TokenUsage;
      /** With `memory`: what was recalled about the message; with `offer`: what may be kept; with `learned`: what is kept now. */
      readonly memories?: readonly ShownMemory[];
      /** With `subagent`: what became of it. */
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

/** Counted by the provider; tokens. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  /** US dollars that the thread has cost since it was opened, where prices are known. */
  readonly cost?: number;
  /** Share of the context window that the last request used, 0..1. */
  readonly contextUsed?: number;
  readonly contextSize?: number;
  readonly isWindowAssumed?: true;
}
