import type { StoredCandidates } from "../../ingest/capture/index.ts";
import type { Effort } from "../../llm/index.ts";
import type { Why } from "../../memory/index.ts";
import type { Undo } from "./checkpoint.ts";
import type { Choice, ProgressItem } from "./dialogue.ts";

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

export interface ThreadControl {
  readonly threadId: string;
  /**
   * One model run on this thread's current history: `running` … `assistant.done` … stop hooks …
   * `idle`. Never rejects for a failed or aborted run: the outcome tells.
   */
  runTurn(text: string, options?: TurnOptions): Promise<TurnResult>;
  /** Runs `body` on an empty history; the earlier conversation comes back, whatever happens. */
  withSeparateHistory<T>(body: () => Promise<T>): Promise<T>;
  clearHistory(): Promise<void>;
  reloadSystemPrompt(): Promise<void>;
  /** Replaces the history by a summary that the model writes (`status handover`). */
  handover(): Promise<TurnResult>;
  setEffort(effort: Effort): Promise<void>;
  readonly effort: Effort | undefined;
  /** Names of what the provider has. Throws a CairnError when it does not say. */
  models(): Promise<readonly string[]>;
  /** When windows and prices of models were read or refreshed. */
  readonly modelsKnownAt: string;
  /** Switches the model of this thread from the next request on. */
  setModel(model: string): Promise<void>;
  readonly undo: Undo;
  /**
   * Keeps what was offered for the memory: all of it, or by number from 1. Undefined where none of
   * that is offered; what could not be stored is still offered.
   */
  keepOffers(numbers?: readonly number[]): Promise<StoredCandidates | undefined>;
  toldMemories(): readonly ShownMemory[];
  readonly model: string;
  readonly messageCount: number;
}

/** Something of the memory that the model was shown. */
export interface ShownMemory {
  /** `ep:12`, `passage:3`, or the id of a concept. */
  readonly id: string;
  readonly text: string;
  readonly why?: Why;
}

export interface TurnOptions {
  /** Names of the only tools that the model is offered; default: those of the settings. */
  readonly tools?: readonly string[];
  /** Appended to the system prompt for this turn. */
  readonly systemAddition?: string;
  /** Answers `ask_user` calls; the tool is offered only when this is given. */
  readonly askUser?: (question: string, choices: readonly Choice[]) => Promise<string>;
  /**
   * Includes the files that `text` mentions. Only for what a person typed: a text that a flow puts
   * together holds data of others, and nothing in that is expanded.
   */
  readonly expandMentions?: boolean;
  /** Absolute paths of files that the user's command asks for: writing them needs no further consent. */
  readonly consents?: readonly string[];
  /** Sums the conversation up first, with an eye to `text`, which then begins the fresh context. */
  readonly afresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface TurnResult {
  readonly outcome: "completed" | "failed" | "aborted";
  /** Text of the last assistant message; empty when there was none. */
  readonly text: string;
}
