import type { StoredCandidates } from "../../ingest/capture/index.ts";
import type { Effort } from "../../llm/index.ts";
import type { Why } from "../../memory/index.ts";
import type { Undo } from "./checkpoint.ts";
import type { Choice } from "./dialogue.ts";

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
