import { stripControl } from "../../shared/text.ts";
import { describeHookFailure, runStopHooks } from "../hooks/run-stop-hooks.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { HostServices } from "./host-services.ts";
import type { ThreadRecord } from "./thread-record.ts";

interface EndedTurn {
  readonly services: HostServices;
  readonly record: ThreadRecord;
  readonly emit: (event: AgentEventBody) => void;
  readonly signal: AbortSignal;
}

/** Runs the stop hooks of a thread after a turn, and tells which of them failed. */
export async function tellStopHooks({ services, record, emit, signal }: EndedTurn): Promise<void> {
  const { settings, projectRoot, environment, exitGuard, wrapCommand } = services;
  const failures = await runStopHooks({
    hooks: settings.hooks.stop,
    threadId: record.state.threadId,
    cwd: projectRoot,
    environment,
    processName: record.processName,
    exitGuard,
    wrapCommand,
    timeoutMs: settings.hookTimeoutMs,
    signal,
  });
  for (const failure of failures) {
    const message = stripControl(describeHookFailure("stop", failure));
    emit({ type: "status", phase: "info", message });
  }
}
