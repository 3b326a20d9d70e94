import { notFound } from "../../kernel/errors.ts";
import { randomIds } from "../../kernel/ids.ts";
import { didYouMean } from "../../kernel/nearest.ts";
import type { ModelClient } from "../../llm/index.ts";
import { findSubagent, loadSubagents, type Subagent } from "../files/load-subagents.ts";
import { ContextGauge } from "../loop/context-gauge.ts";
import { History } from "../loop/history.ts";
import { runLoop } from "../loop/run-loop.ts";
import type { Spending } from "../loop/spending.ts";
import type { FileWatch } from "../ports/checkpoint.ts";
import type { AgentEventBody } from "../ports/events.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { buildSystemPrompt } from "../prompt/build-system-prompt.ts";
import type { Delegation } from "../tools/subagent.ts";
import type { HeldCalls } from "./held-calls.ts";
import type { HostServices } from "./host-services.ts";
import { OWN_SESSIONS } from "./kept-session.ts";
import { Recollection } from "./recollection.ts";
import { threadTools } from "./thread-tools.ts";

export interface DelegateOptions {
  readonly services: HostServices;
  readonly client: ModelClient;
  readonly emit: (event: AgentEventBody) => void;
  readonly threadId: string;
  /** Of the turn that delegates. */
  readonly watch: FileWatch;
  /** Of the thread: what its subagents cost counts, too. */
  readonly spending: Spending;
  /** Holds back what is known to be wrong. */
  readonly held: HeldCalls;
  /** Of the thread's process table. */
  readonly processName: string;
  /** 1 for a subagent of the thread, 2 for a subagent of that one. */
  readonly depth: number;
}

/**
 * Runs a subagent with a history and processes of its own. Returns its last text; throws what
 * ended it.
 */
export async function delegate(options: DelegateOptions, work: Delegation): Promise<string> {
  const { services, client, threadId, depth } = options;
  const { projectRoot, userConfigDir, settings } = services;
  const subagent = await find(services, work.id);
  const emit = labelled(options.emit, `[${subagent.name}]`);
  const tools = await threadTools({
    services,
    threadId,
    depth,
    askUser: undefined,
    delegate: (nested) => delegate({ ...options, emit, depth: depth + 1 }, nested),
  });
  const { text: system, shown } = await buildSystemPrompt({
    projectRoot,
    userConfigDir,
    settings,
    memory: services.memory,
    prefix: subagent.role,
    explorationTools: await services.explorationTools(),
    tools,
    today: services.clock.now(),
    signal: work.signal,
  });
  const processes = new ProcessTable({
    name: randomIds.next(`${options.processName}-`),
    cwd: projectRoot,
    environment: { ...services.environment, CAIRN_SESSION: threadId },
    wrap: services.wrapCommand,
    guard: services.exitGuard,
  });
  // It starts from nothing, whatever its thread was told.
  const recollection = new Recollection({
    memory: services.memory,
    logger: services.logger,
    emit,
    ownSource: () => ({ kind: OWN_SESSIONS, key: threadId }),
    told: () => new Set(shown),
  });
  const gauge = new ContextGauge();
  gauge.window = await client.contextWindow(work.signal);
  try {
    return await runLoop({
      client,
      history: new History([{ role: "user", content: work.prompt }]),
      system,
      tools,
      toolContext: { paths: services.paths, processes },
      permit: options.held.before(
        services.permission.gate({
          threadId,
          knownFiles: new Set(),
          contextLabel: `[${subagent.name}]`,
        }),
      ),
      limits: settings,
      watch: options.watch,
      gauge,
      spending: options.spending,
      signal: work.signal,
      emit,
      takeInput: async () => [],
      knownOf: (call, signal) => recollection.about(call, projectRoot, signal),
    });
  } finally {
    await processes.killAll();
  }
}

async function find(services: HostServices, id: string): Promise<Subagent> {
  const { subagents } = await loadSubagents(services);
  const subagent = findSubagent(subagents, id);
  if (subagent !== undefined) return subagent;
  const known = subagents.map((one) => one.id);
  throw notFound(`There is no subagent "${id}".${didYouMean(id, known)}`);
}

/** Marks what the subagent says and does, and keeps its hints out of the thread's own. */
function labelled(
  emit: (event: AgentEventBody) => void,
  contextLabel: string,
): (event: AgentEventBody) => void {
  return (event) => {
    switch (event.type) {
      case "assistant.delta":
      case "assistant.done":
      case "tool.call":
      case "tool.result":
        // A subagent of a subagent keeps its own label.
        emit(event.contextLabel === undefined ? { ...event, contextLabel } : event);
        return;
      case "status":
        if (event.phase !== "thinking" && event.phase !== "calling") emit(event);
        return;
      default:
        emit(event);
    }
  };
}
