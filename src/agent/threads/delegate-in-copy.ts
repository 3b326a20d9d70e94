import type { ModelClient } from "../../llm/index.ts";
import { changesOfCopy, diffOfChange } from "../copies/copy-changes.ts";
import { listCopies } from "../copies/copy-place.ts";
import { discardCopy } from "../copies/discard-copy.ts";
import { makeCopy } from "../copies/make-copy.ts";
import type { Spending } from "../loop/spending.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import type { ThreadHost } from "../ports/thread-host.ts";
import { untilSettled } from "../ports/until-settled.ts";
import type { Subagent } from "../subagents/subagent.ts";
import type { ToolResult } from "../tools/define-tool.ts";
import type { Delegation } from "../tools/subagent.ts";
import type { HostServices } from "./host-services.ts";

/** Of the difference, so much is shown to who has delegated. */
const MOST_DIFF = 12_000;

interface InCopy {
  readonly services: HostServices;
  readonly client: ModelClient;
  readonly threadId: string;
  readonly spending: Spending;
  /** Under the label of the subagent. */
  readonly emit: (event: AgentEventBody) => void;
}

interface WorkInCopy extends Delegation {
  readonly subagent: Subagent;
  readonly label: string;
}

/**
 * Has a subagent work in a copy of the project, as an agent of its own. It asks the same person, what it
 * reads counts for the turn that delegates, and so does what it costs. What it changed stays in the copy
 * until the person takes it over; a copy in which nothing was changed is thrown away.
 */
export async function delegateInCopy(options: InCopy, work: WorkInCopy): Promise<ToolResult> {
  const { services } = options;
  const copy = await makeFreeCopy(services);
  let isKept = false;
  try {
    const said = await workIn(copy, options, work);
    const changes = await changesOfCopy(copy);
    isKept = changes.length > 0;
    if (!isKept) return { text: said };
    const files = changes.map(({ kind, path }) => `${kind} ${path}`).join("\n");
    const diff = changes.map(diffOfChange).join("");
    const shown = diff.length > MOST_DIFF ? `${diff.slice(0, MOST_DIFF)}\n… (cut)` : diff;
    const how = `It worked in the copy "${copy.name}"; nothing of it is in the project. The user takes it over with \`cairn copy merge ${copy.name}\`, or throws it away with \`cairn copy discard ${copy.name}\`: tell them.`;
    return { text: `${said}\n\n${how}\n\n${files}\n\n${shown}`, summary: how };
  } finally {
    isKept ||= (await changesOfCopy(copy)).length > 0;
    if (!isKept) discardCopy(copy);
  }
}

async function workIn(
  copy: ProjectCopy,
  { services, client, threadId, spending, emit }: InCopy,
  { subagent, label, prompt, signal }: WorkInCopy,
): Promise<string> {
  const { settings, permission } = services;
  const model = settings.subagent.models[subagent.id];
  const { tools = settings.tools } = subagent;
  const host = await services.openBeside(
    {
      copy,
      aroundModel: () => counted(model === undefined ? client : client.withModel(model), spending),
      settings: {
        maxCost: undefined,
        tools: tools === undefined ? undefined : [...tools],
        // What it is told is no word of the person's, so nothing of it becomes one.
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

function counted(client: ModelClient, spending: Spending): ModelClient {
  return {
    ...client,
    withModel: (model) => counted(client.withModel(model), spending),
    withEffort: (effort) => counted(client.withEffort(effort), spending),
    async answer(request) {
      spending.check(client);
      const answer = await client.answer(request);
      spending.record(client, answer.usage);
      return answer;
    },
  };
}

/** Several subagents may begin at once: the first to make a name has it. */
async function makeFreeCopy({ projectRoot, dataDir, clock }: HostServices): Promise<ProjectCopy> {
  const taken = new Set(listCopies(dataDir, projectRoot).map(({ name }) => name));
  const stamp = clock.now().getTime().toString(36);
  for (let number = 1; ; number += 1) {
    const name = `agent-${stamp}-${number}-${Math.random().toString(36).slice(2, 6)}`;
    if (!taken.has(name)) return makeCopy({ project: projectRoot, dataDir, name, clock });
  }
}
