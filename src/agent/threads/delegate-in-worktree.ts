import { randomBytes } from "node:crypto";
import type { ModelClient } from "../../llm/index.ts";
import { countedClient, type Spending } from "../loop/spending.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { ThreadHost } from "../ports/thread-host.ts";
import { untilSettled } from "../ports/until-settled.ts";
import type { Worktree } from "../ports/worktree.ts";
import type { Subagent } from "../subagents/subagent.ts";
import type { ToolResult } from "../tools/define-tool.ts";
import type { Delegation } from "../tools/subagent.ts";
import { changesOf, diffOf } from "../worktrees/changes.ts";
import { createWorktree, removeWorktree } from "../worktrees/worktree.ts";
import type { HostServices } from "./host-services.ts";

/** Bytes of the diff that the delegating model is shown. */
const MAX_DIFF_BYTES = 12_000;

interface InWorktree {
  readonly services: HostServices;
  readonly client: ModelClient;
  readonly threadId: string;
  readonly spending: Spending;
  /** Under the label of the subagent. */
  readonly emit: (event: AgentEventBody) => void;
}

interface WorkInWorktree extends Delegation {
  readonly subagent: Subagent;
  readonly label: string;
}

/**
 * Has a subagent work in a git worktree, as an agent of its own. Its questions, reads and costs count for
 * the delegating turn. A worktree with changes stays until the user merges or discards it.
 */
export async function delegateInWorktree(
  options: InWorktree,
  work: WorkInWorktree,
): Promise<ToolResult> {
  const { projectRoot: project, dataDir, clock } = options.services;
  const name = `agent-${clock.now().getTime().toString(36)}-${randomBytes(3).toString("hex")}`;
  const worktree = await createWorktree({ project, dataDir, name, clock });
  let isChanged = true;
  try {
    const said = await workIn(worktree, options, work);
    const { tree, changes } = await changesOf(worktree);
    isChanged = changes.length > 0;
    if (!isChanged) return { text: said };
    const files = changes.map(({ kind, path }) => `${kind} ${path}`).join("\n");
    const diff = await diffOf(worktree, tree, { maxBytes: MAX_DIFF_BYTES });
    const how = `It worked in the worktree "${name}"; the project is unchanged. Tell the user: \`cairn worktree merge ${name}\` merges the work, \`cairn worktree discard ${name}\` discards it.`;
    return { text: `${said}\n\n${how}\n\n${files}\n\n${diff}`, summary: how };
  } catch (error) {
    isChanged = (await changesOf(worktree)).changes.length > 0;
    throw error;
  } finally {
    if (!isChanged) await removeWorktree(worktree);
  }
}

async function workIn(
  worktree: Worktree,
  { services, client, threadId, spending, emit }: InWorktree,
  { subagent, label, prompt, signal }: WorkInWorktree,
): Promise<string> {
  const { settings, permission } = services;
  const model = settings.subagent.models[subagent.id];
  const { tools = settings.tools } = subagent;
  const host = await services.openBeside(
    {
      worktree,
      aroundModel: () =>
        countedClient(model === undefined ? client : client.withModel(model), spending),
      settings: {
        maxCost: undefined,
        tools: tools === undefined ? undefined : [...tools],
        // Its prompt is written by a model: nothing of it is stored as the user's words.
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
    const heard = listen(host, emit);
    signal.addEventListener("abort", stop, { once: true });
    await host.send(threadId, prompt);
    if (signal.aborted) stop();
    await untilSettled(host, threadId);
    signal.throwIfAborted();
    if (heard.problem !== undefined) throw new Error(heard.problem);
    return heard.said === "" ? "(the subagent said nothing)" : heard.said;
  } finally {
    signal.removeEventListener("abort", stop);
    await host.close();
  }
}

/** Shows its words and calls as those of a subagent; what it costs is told by the thread itself. */
function listen(host: ThreadHost, emit: (event: AgentEventBody) => void) {
  const heard: { said: string; problem?: string } = { said: "" };
  host.subscribe(({ threadId: _thread, seq: _seq, runId: _run, ...event }) => {
    if (event.type === "error") heard.problem = event.message;
    if (event.type === "assistant.done") {
      heard.said = event.text;
      const { usage: _usage, ...said } = event;
      emit(said);
    } else if (event.type === "tool.call" || event.type === "tool.result") emit(event);
    else if (event.type === "assistant.delta") emit(event);
  });
  return heard;
}
