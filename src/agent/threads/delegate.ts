import type { ModelClient } from "../../llm/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { notFound } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { ContextGauge } from "../loop/context-gauge.ts";
import { History } from "../loop/history.ts";
import { runLoop } from "../loop/run-loop.ts";
import { PartSpending, type Spending } from "../loop/spending.ts";
import type { FileWatch } from "../ports/checkpoint.ts";
import type { AgentEventBody, SubagentNews } from "../ports/events.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { buildSystemPrompt } from "../prompt/build-system-prompt.ts";
import { findSubagent, loadSubagents } from "../subagents/load-subagents.ts";
import { RecordedReads, stillSeen } from "../subagents/recorded-reads.ts";
import type { Subagent } from "../subagents/subagent.ts";
import type { SubagentLabels } from "../subagents/subagent-labels.ts";
import type { Tool, ToolResult } from "../tools/define-tool.ts";
import type { Delegation } from "../tools/subagent.ts";
import { delegateInWorktree } from "./delegate-in-worktree.ts";
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
  /** Of the thread's subagents at work. */
  readonly labels: SubagentLabels;
}

/**
 * Runs a subagent with a history and processes of its own. Answers with its last text; throws what
 * ended it. What it found out before about the same question is answered without it.
 */
export async function delegate(options: DelegateOptions, work: Delegation): Promise<ToolResult> {
  const subagent = await find(options.services, work.id);
  const label = options.labels.take(subagent.name);
  const spending = new PartSpending(options.spending);
  const news: SubagentNews = {
    id: randomIds.next("sub_"),
    label,
    name: subagent.name,
    task: work.prompt,
    callId: work.callId,
    state: "running",
  };
  const tell = (state: SubagentNews["state"]) => {
    const ended = state === "running" ? {} : { spent: spending.takeSpent() };
    options.emit({ type: "status", phase: "subagent", subagent: { ...news, ...ended, state } });
  };
  tell("running");
  let state: SubagentNews["state"] = "failed";
  try {
    const emit = labelled(options.emit, news);
    const result = await handOn({ ...options, spending, emit }, { ...work, subagent, label });
    state = "done";
    return result;
  } finally {
    tell(work.signal.aborted ? "stopped" : state);
    options.labels.giveBack(label);
  }
}

interface KnownWork extends Delegation {
  readonly subagent: Subagent;
  readonly label: string;
}

async function handOn(options: DelegateOptions, work: KnownWork): Promise<ToolResult> {
  const { services, threadId, depth, emit } = options;
  const { subagent, label } = work;
  if (work.worktree ?? subagent.worktree ?? false) return delegateInWorktree(options, work);
  const tools = await threadTools({
    services,
    threadId,
    depth,
    only: subagent.tools,
    askUser: undefined,
    delegate: (nested) => delegate({ ...options, depth: depth + 1 }, nested),
  });
  const processes = new ProcessTable({
    name: randomIds.next(`${options.processName}-`),
    cwd: services.projectRoot,
    environment: { ...services.environment, CAIRN_SESSION: threadId },
    wrap: services.wrapCommand,
    guard: services.exitGuard,
  });
  const begun = { subagent, label, emit, tools, processes };
  try {
    return subagent.keepsFindings === true
      ? await findOut(options, begun, work)
      : said(await run(options, begun, work));
  } finally {
    await processes.killAll();
  }
}

interface Begun {
  readonly subagent: Subagent;
  /** `[explore]` */
  readonly label: string;
  readonly emit: (event: AgentEventBody) => void;
  readonly tools: readonly Tool[];
  readonly processes: ProcessTable;
}

function said(text: string): ToolResult {
  return { text: text.trim() === "" ? "(the subagent said nothing)" : text };
}

/** Asks the model only where it was not asked before, or where something has changed since. */
async function findOut(
  options: DelegateOptions,
  begun: Begun,
  work: Delegation,
): Promise<ToolResult> {
  const { findings, paths, clock } = options.services;
  const { tools, processes } = begun;
  const { signal } = work;
  const context = { callId: "", signal, paths, processes };
  const known = await findings.find(work.prompt, (reads) => stillSeen(reads, { tools, context }));
  if (known !== undefined) {
    const note = `found out on ${known.at.slice(0, 10)}; nothing that was read for it has changed`;
    return { text: `${known.answer}\n\n(${note})`, summary: `Known: ${note}.` };
  }
  const reads = new RecordedReads();
  const answer = await run(options, { ...begun, tools: reads.around(tools) }, work);
  const at = toTimestamp(clock.now());
  if (reads.all !== undefined && answer.trim() !== "") {
    await findings.keep(work.prompt, { answer, at }, reads.all);
  }
  return said(answer);
}

async function run(options: DelegateOptions, begun: Begun, work: Delegation): Promise<string> {
  const { services, threadId } = options;
  const { projectRoot, userConfigDir, settings } = services;
  const { subagent, label, emit, tools, processes } = begun;
  const model = settings.subagent.models[subagent.id];
  const client = model === undefined ? options.client : options.client.withModel(model);
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
    asker: { client: OWN_SESSIONS, session: threadId },
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
  return runLoop({
    client,
    history: new History([{ role: "user", content: work.prompt }]),
    system,
    tools,
    toolContext: { paths: services.paths, processes },
    permit: options.held.before(
      services.permission.gate({ threadId, knownFiles: new Set(), contextLabel: label }),
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
  { id: subagentId, label: contextLabel }: Pick<SubagentNews, "id" | "label">,
): (event: AgentEventBody) => void {
  return (event) => {
    // A subagent of a subagent keeps its own marks.
    if ("subagentId" in event && event.subagentId !== undefined) {
      emit(event);
      return;
    }
    switch (event.type) {
      case "assistant.delta":
      case "assistant.done":
      case "tool.call":
      case "tool.result":
        emit({ ...event, contextLabel, subagentId });
        return;
      case "status":
        if (event.phase === "thinking" || event.phase === "calling") return;
        if (event.subagent === undefined) emit({ ...event, subagentId });
        else emit({ ...event, subagent: { parent: subagentId, ...event.subagent } });
        return;
      default:
        emit(event);
    }
  };
}
