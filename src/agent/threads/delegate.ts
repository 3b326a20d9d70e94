import { randomBytes } from "node:crypto";
import type { ModelClient } from "../../llm/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { notFound } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { ContextGauge } from "../loop/context-gauge.ts";
import { History } from "../loop/history.ts";
import { runLoop } from "../loop/run-loop.ts";
import { countedClient, DelegatedSpending, type Spending } from "../loop/spending.ts";
import type { FileWatch } from "../ports/checkpoint.ts";
import type { AgentEventBody, SubagentNews } from "../ports/events.ts";
import type { ThreadHost } from "../ports/thread-host.ts";
import { waitUntilSettled } from "../ports/thread-host.ts";
import type { Worktree } from "../ports/worktree.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { buildSystemPrompt } from "../prompt/build-system-prompt.ts";
import { findSubagent, loadSubagents } from "../subagents/load-subagents.ts";
import { isUnchanged, RecordedReads } from "../subagents/recorded-reads.ts";
import type { Subagent } from "../subagents/subagent.ts";
import type { SubagentLabels } from "../subagents/subagent-labels.ts";
import type { Tool, ToolResult } from "../tools/define-tool.ts";
import type { Delegation } from "../tools/subagent.ts";
import { createDiff, loadChanges } from "../worktrees/changes.ts";
import { createWorktree, removeWorktree } from "../worktrees/worktree.ts";
import type { HostServices } from "./host-services.ts";
import { Recollection } from "./recollection.ts";
import type { HeldCalls } from "./thread-memory.ts";
import { SESSION_CLIENT } from "./thread-memory.ts";
import { threadTools } from "./thread-tools.ts";

const MAX_DIFF_BYTES = 12_000;

interface InWorktree {
  readonly services: HostServices;
  readonly client: ModelClient;
  readonly threadId: string;
  readonly spending: Spending;
  readonly emit: (event: AgentEventBody) => void;
}

interface WorkInWorktree extends Delegation {
  readonly subagent: Subagent;
  readonly label: string;
}

/** A worktree with changes stays until the user merges or discards it. */
async function delegateInWorktree(options: InWorktree, work: WorkInWorktree): Promise<ToolResult> {
  const { projectRoot: project, dataDir, clock } = options.services;
  const name = `agent-${clock.now().getTime().toString(36)}-${randomBytes(3).toString("hex")}`;
  const worktree = await createWorktree({ project, dataDir, name, clock });
  let isChanged = true;
  try {
    const text = await workInWorktree(worktree, options, work);
    const { tree, changes } = await loadChanges(worktree);
    isChanged = changes.length > 0;
    if (!isChanged) return { text: text };
    const files = changes.map(({ kind, path }) => `${kind} ${path}`).join("\n");
    const diff = await createDiff(worktree, tree, { maxBytes: MAX_DIFF_BYTES });
    const how = `It worked in the worktree "${name}"; the project is unchanged. Tell the user: \`cairn worktree merge ${name}\` merges the work, \`cairn worktree discard ${name}\` discards it.`;
    return { text: `${text}\n\n${how}\n\n${files}\n\n${diff}`, summary: how };
  } catch (error) {
    isChanged = (await loadChanges(worktree)).changes.length > 0;
    throw error;
  } finally {
    if (!isChanged) await removeWorktree(worktree);
  }
}

async function workInWorktree(
  worktree: Worktree,
  { services, client, threadId, spending, emit }: InWorktree,
  { subagent, label, prompt, signal }: WorkInWorktree,
): Promise<string> {
  const { settings, permission } = services;
  const model = settings.subagent.models[subagent.id];
  const { tools = settings.tools } = subagent;
  const host = await services.openParallelThread(
    {
      worktree,
      aroundModel: () =>
        countedClient(model === undefined ? client : client.withModel(model), spending),
      settings: {
        maxCost: undefined,
        tools: tools === undefined ? undefined : [...tools],
        // A model writes its prompt, so nothing of it is stored as the user's words.
        memory: settings.memory === "off" ? "off" : "read",
      },
      isUnattended: true,
    },
    { permission, label },
  );
  const stop = () => void host.cancel(threadId, { queued: "drop" }).catch(() => undefined);
  try {
    await permission.settled;
    host.permission.setMode(permission.mode);
    await host.create({ threadId, systemPromptPrefix: subagent.role });
    const heard = forwardEvents(host, emit);
    signal.addEventListener("abort", stop, { once: true });
    await host.send(threadId, prompt);
    if (signal.aborted) stop();
    await waitUntilSettled(host, threadId);
    signal.throwIfAborted();
    if (heard.problem !== undefined) throw new Error(heard.problem);
    return heard.lastText === "" ? "(the subagent returned no text)" : heard.lastText;
  } finally {
    signal.removeEventListener("abort", stop);
    await host.close();
  }
}

function forwardEvents(host: ThreadHost, emit: (event: AgentEventBody) => void) {
  const heard: { lastText: string; problem?: string } = { lastText: "" };
  host.subscribe(({ threadId: _thread, seq: _seq, runId: _run, ...event }) => {
    if (event.type === "error") heard.problem = event.message;
    if (event.type === "assistant.done") {
      heard.lastText = event.text;
      const { usage: _usage, ...forwarded } = event;
      emit(forwarded);
    } else if (event.type === "tool.call" || event.type === "tool.result") emit(event);
    else if (event.type === "assistant.delta") emit(event);
  });
  return heard;
}

export interface DelegateOptions {
  readonly services: HostServices;
  readonly client: ModelClient;
  readonly emit: (event: AgentEventBody) => void;
  readonly threadId: string;
  readonly watch: FileWatch;
  readonly spending: Spending;
  readonly heldCalls: HeldCalls;
  readonly processName: string;
  /** 1 for a subagent of the thread, 2 for a subagent of that one. */
  readonly depth: number;
  readonly labels: SubagentLabels;
}

/** Returns the subagent's last text, or its earlier answer. Throws the error that ended it. */
export async function delegate(options: DelegateOptions, work: Delegation): Promise<ToolResult> {
  const subagent = await requireSubagent(options.services, work.id);
  const label = options.labels.take(subagent.name);
  const spending = new DelegatedSpending(options.spending);
  const news: SubagentNews = {
    id: randomIds.next("sub_"),
    label,
    name: subagent.name,
    task: work.prompt,
    callId: work.callId,
    state: "running",
  };
  const report = (state: SubagentNews["state"]) => {
    const ended = state === "running" ? {} : { spent: spending.takeSpent() };
    options.emit({ type: "status", phase: "subagent", subagent: { ...news, ...ended, state } });
  };
  report("running");
  let state: SubagentNews["state"] = "failed";
  try {
    const emit = addLabel(options.emit, news);
    const result = await forwardEvent({ ...options, spending, emit }, { ...work, subagent, label });
    state = "done";
    return result;
  } finally {
    report(work.signal.aborted ? "stopped" : state);
    options.labels.giveBack(label);
  }
}

interface KnownFindings extends Delegation {
  readonly subagent: Subagent;
  readonly label: string;
}

async function forwardEvent(options: DelegateOptions, work: KnownFindings): Promise<ToolResult> {
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
  const started = { subagent, label, emit, tools, processes };
  try {
    return subagent.keepsFindings === true
      ? await runExploration(options, started, work)
      : toToolResult(await run(options, started, work));
  } finally {
    await processes.killAll();
  }
}

interface StartedDelegation {
  readonly subagent: Subagent;
  readonly label: string;
  readonly emit: (event: AgentEventBody) => void;
  readonly tools: readonly Tool[];
  readonly processes: ProcessTable;
}

function toToolResult(text: string): ToolResult {
  return { text: text.trim() === "" ? "(the subagent returned no text)" : text };
}

async function runExploration(
  options: DelegateOptions,
  started: StartedDelegation,
  work: Delegation,
): Promise<ToolResult> {
  const { findings, paths, clock } = options.services;
  const { tools, processes } = started;
  const { signal } = work;
  const context = { callId: "", signal, paths, processes };
  const known = await findings.find(work.prompt, (reads) => isUnchanged(reads, { tools, context }));
  if (known !== undefined) {
    const note = `found out on ${known.at.slice(0, 10)}; none of the files that were read have changed`;
    return { text: `${known.answer}\n\n(${note})`, summary: `Known: ${note}.` };
  }
  const reads = new RecordedReads();
  const answer = await run(options, { ...started, tools: reads.around(tools) }, work);
  const at = toTimestamp(clock.now());
  if (reads.all !== undefined && answer.trim() !== "") {
    await findings.store(work.prompt, { answer, at }, reads.all);
  }
  return toToolResult(answer);
}

async function run(
  options: DelegateOptions,
  started: StartedDelegation,
  work: Delegation,
): Promise<string> {
  const { services, threadId } = options;
  const { projectRoot, userConfigDir, settings } = services;
  const { subagent, label, emit, tools, processes } = started;
  const model = settings.subagent.models[subagent.id];
  const client = model === undefined ? options.client : options.client.withModel(model);
  const { text: system, shown } = await buildSystemPrompt({
    projectRoot,
    userConfigDir,
    settings,
    memory: services.memory,
    prefix: subagent.role,
    explorationTools: services.explorationTools,
    tools,
    today: services.clock.now(),
    signal: work.signal,
    requester: { client: SESSION_CLIENT, session: threadId },
  });
  const recollection = new Recollection({
    memory: services.memory,
    logger: services.logger,
    emit,
    ownSource: () => ({ kind: SESSION_CLIENT, key: threadId }),
    shownIds: () => new Set(shown),
  });
  const gauge = new ContextGauge();
  gauge.window = await client.contextWindow(work.signal);
  return runLoop({
    client,
    history: new History([{ role: "user", content: work.prompt }]),
    system,
    tools,
    toolContext: { paths: services.paths, processes },
    permit: options.heldCalls.before(
      services.permission.gate({
        threadId,
        knownFiles: new Set(),
        contextLabel: label,
        storeForUndo: (paths) => options.watch.willWrite(...paths),
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
}

async function requireSubagent(services: HostServices, id: string): Promise<Subagent> {
  const { subagents } = await loadSubagents(services);
  const subagent = findSubagent(subagents, id);
  if (subagent !== undefined) return subagent;
  const known = subagents.map((one) => one.id);
  throw notFound(`There is no subagent "${id}".${didYouMean(id, known)}`);
}

function addLabel(
  emit: (event: AgentEventBody) => void,
  { id: subagentId, label: contextLabel }: Pick<SubagentNews, "id" | "label">,
): (event: AgentEventBody) => void {
  return (event) => {
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
