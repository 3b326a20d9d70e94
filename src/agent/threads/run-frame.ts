import { isCairnError, messageOf } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import type { Logger } from "../../shared/logger.ts";
import type { History } from "../loop/history.ts";
import type { AgentEventBody, TokenUsage } from "../ports/events.ts";
import type { TurnResult } from "../ports/thread-control.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import type { EventLog } from "./event-log.ts";
import type { ThreadRecord } from "./thread-record.ts";

export interface RunFrameOptions {
  readonly record: ThreadRecord;
  readonly events: EventLog;
  readonly emit: (event: AgentEventBody) => void;
  readonly processes: ProcessTable;
  /** Something that a person should hear at the end of a turn. */
  readonly notice: () => string | undefined;
  /** What was used and not reported yet. */
  readonly usage: () => TokenUsage | undefined;
  readonly logger: Logger;
}

export interface RunStart {
  readonly signal: AbortSignal;
  /** Ends this run alone. */
  readonly ownSignal?: AbortSignal;
  /** The messages that the run works on. */
  readonly history: History;
  /** What the user said, so that it outlives a crash before it is part of the history. */
  readonly text?: string;
  /** The same, where it is the person's own words rather than those of a command. */
  readonly said?: string;
  /** Of the message, when it waited. */
  readonly queuedId?: string;
  /** Before `idle`, when nothing of the run is at work any more. */
  readonly atEnd?: () => Promise<void>;
  /** After `aborted` and `idle` of a run were sent. */
  readonly onAborted: () => void;
}

/** What stands around each run of a thread, in its events and in its record. */
export class RunFrame {
  readonly #options: RunFrameOptions;
  #isOpen = false;

  constructor(options: RunFrameOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** `running` … `idle` around the body; its failure and its cancel become the outcome. */
  async around(
    start: RunStart,
    body: (signal: AbortSignal) => Promise<string>,
  ): Promise<TurnResult> {
    const { events, emit, usage } = this.#options;
    const { ownSignal } = start;
    const signal =
      ownSignal === undefined ? start.signal : AbortSignal.any([start.signal, ownSignal]);
    if (signal.aborted) return { outcome: "aborted", text: "" };
    const runId = randomIds.next("run_");
    events.runId = runId;
    this.#isOpen = true;
    let result: TurnResult;
    try {
      this.#begin(runId, start);
      result = { outcome: "completed", text: await body(signal) };
    } catch (error) {
      result = { outcome: signal.aborted ? "aborted" : "failed", text: "" };
      if (!signal.aborted) this.#emitError(error);
    }
    try {
      await this.#end(runId, start, result.outcome);
    } catch (error) {
      this.#emitError(error);
    }
    this.#isOpen = false;
    const rest = usage();
    emit({ type: "status", phase: "idle", ...(rest !== undefined && { usage: rest }) });
    events.runId = undefined;
    if (result.outcome === "aborted") start.onAborted();
    return result;
  }

  #begin(runId: string, { text, said: words, queuedId }: RunStart): void {
    const { record, emit } = this.#options;
    try {
      const said = text === undefined ? {} : { text };
      const waited = queuedId === undefined ? {} : { queuedId };
      record.append({ type: "run", runId, state: "started", ...said, ...waited });
      record.saveState({ runOpen: true });
    } finally {
      // On a full disk, too: every `idle` follows a `running`.
      emit({ type: "status", phase: "running", ...(words !== undefined && { said: words }) });
    }
  }

  async #end(
    runId: string,
    { history, atEnd }: RunStart,
    outcome: TurnResult["outcome"],
  ): Promise<void> {
    const { record, emit, processes } = this.#options;
    history.closeOpenCalls("The run ended before this call had a result.");
    if (outcome === "aborted") {
      await processes.killAll();
      emit({ type: "status", phase: "aborted" });
    }
    await atEnd?.();
    const notice = this.#options.notice();
    if (notice !== undefined) emit({ type: "status", phase: "info", message: notice });
    record.append({ type: "run", runId, state: outcome });
    record.saveState({ runOpen: false });
    record.touch();
  }

  #emitError(error: unknown): void {
    const { emit, logger } = this.#options;
    const code = isCairnError(error) ? error.code : "internal";
    if (!isCairnError(error)) logger.error(messageOf(error));
    emit({ type: "error", message: messageOf(error), code });
  }
}
