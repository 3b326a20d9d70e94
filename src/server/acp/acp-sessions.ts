import {
  type AgentContext,
  type AvailableCommand,
  type ContentBlock,
  type McpServer,
  type PromptRequest,
  RequestError,
  type SessionModeState,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk/unstable";
import {
  type AgentEvent,
  type CommandHelp,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionNotice,
  type PermissionQuestion,
  type ThreadHost,
  waitForTurn,
} from "../../agent/index.ts";
import { isCairnError, messageOf } from "../../shared/errors.ts";
import { createPromptText } from "./prompt-text.ts";
import { chooseForThread, MODE_NAMES, requireMode, sessionOptions } from "./session-options.ts";
import { historyUpdates, requestPermission, SessionUpdates } from "./session-updates.ts";

export interface AcpAgent {
  readonly host: ThreadHost;
  readonly commands: readonly CommandHelp[];
  close(): Promise<void>;
}

export interface OpenProject {
  readonly cwd: string;
  readonly mcpServers: Readonly<Record<string, unknown>>;
}

export type OpenAcpAgent = (project: OpenProject) => Promise<AcpAgent>;

interface Session {
  readonly agent: AcpAgent;
  readonly cwd: string;
  readonly updates: SessionUpdates;
  turn: { wasAborted: boolean; error: string | undefined } | undefined;
  /** Options last sent to the editor. */
  sentOptions: string;
}

const MAX_HISTORY_ENTRIES = 1_000;

async function storeImages(
  host: ThreadHost,
  blocks: readonly ContentBlock[],
): Promise<readonly ContentBlock[]> {
  const remaining: ContentBlock[] = [];
  for (const block of blocks) {
    if (block.type !== "image") remaining.push(block);
    else
      remaining.push({
        type: "text",
        text: await host.storeImage(Buffer.from(block.data, "base64")),
      });
  }
  return remaining;
}

export class AcpSessions {
  readonly #open: OpenAcpAgent;
  readonly #client: AgentContext;
  readonly #agents = new Map<string, Promise<AcpAgent>>();
  readonly #sessions = new Map<string, Session>();
  readonly #models = new Map<ThreadHost, readonly string[]>();

  constructor(open: OpenAcpAgent, client: AgentContext) {
    this.#open = open;
    this.#client = client;
  }

  async create(cwd: string, servers: readonly McpServer[]) {
    const agent = await this.#getAgent(cwd, servers);
    const { threadId: sessionId } = await agent.host.create();
    this.#add(sessionId, agent, cwd);
    return { sessionId, ...(await this.#standing(sessionId)) };
  }

  async load(sessionId: string, cwd: string, servers: readonly McpServer[]) {
    const agent = await this.#getAgent(cwd, servers);
    agent.host.find(sessionId);
    const entries = (await agent.host.history?.(sessionId, MAX_HISTORY_ENTRIES)) ?? [];
    for (const update of historyUpdates(entries, { sessionId, cwd }))
      await this.#send(sessionId, update);
    this.#add(sessionId, agent, cwd);
    return this.#standing(sessionId);
  }

  async resume(sessionId: string, cwd: string, servers: readonly McpServer[]) {
    const agent = await this.#getAgent(cwd, servers);
    agent.host.find(sessionId);
    this.#add(sessionId, agent, cwd);
    return this.#standing(sessionId);
  }

  async fork(sessionId: string, cwd: string, servers: readonly McpServer[]) {
    const agent = await this.#getAgent(cwd, servers);
    const { threadId } = await agent.host.fork(sessionId);
    this.#add(threadId, agent, cwd);
    return { sessionId: threadId, ...(await this.#standing(threadId)) };
  }

  /** Stops running work; the session can be reopened. */
  async leave(sessionId: string): Promise<void> {
    const { agent } = this.#session(sessionId);
    this.#sessions.delete(sessionId);
    await agent.host.cancel(sessionId, { queued: "drop" });
  }

  async list(cwd: string) {
    const { host } = await this.#getAgent(cwd, []);
    const sessions = [...host.list()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    return sessions.map(({ threadId, title, updatedAt }) => ({
      sessionId: threadId,
      cwd,
      updatedAt,
      ...(title !== undefined && { title }),
    }));
  }

  /** Must follow the response, which contains the session id. */
  async announceCommands(sessionId: string): Promise<void> {
    const { agent } = this.#session(sessionId);
    const prompts = agent.host.mcpServers.prompts();
    const availableCommands = [...agent.commands, ...prompts].flatMap(availableCommand);
    await this.#send(sessionId, { sessionUpdate: "available_commands_update", availableCommands });
  }

  /**
   * Runs one message. If a flow asks a question, the turn ends and the next message is the reply.
   */
  async prompt({ sessionId, prompt, _meta }: PromptRequest): Promise<StopReason> {
    const session = this.#session(sessionId);
    if (session.turn !== undefined) {
      throw RequestError.invalidRequest(undefined, "The session is running: cancel it first.");
    }
    const turn = { wasAborted: false, error: undefined as string | undefined };
    session.turn = turn;
    try {
      const { host } = session.agent;
      const blocks = await storeImages(host, prompt);
      await host.send(sessionId, createPromptText(blocks, session.cwd, _meta));
      await waitForTurn(host, sessionId);
    } finally {
      session.turn = undefined;
    }
    await this.#sendOptions(sessionId);
    if (turn.wasAborted) return "cancelled";
    if (turn.error !== undefined) throw RequestError.internalError(undefined, turn.error);
    return "end_turn";
  }

  async cancel(sessionId: string): Promise<void> {
    await this.#sessions.get(sessionId)?.agent.host.cancel(sessionId, { queued: "drop" });
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    const { host } = this.#session(sessionId).agent;
    const mode = requireMode(modeId);
    host.permission.setMode(mode);
    // The mode belongs to the project, so update its other sessions.
    for (const id of this.#getSessions(host)) {
      await this.#send(id, { sessionUpdate: "current_mode_update", currentModeId: mode });
      await this.#sendOptions(id);
    }
  }

  async setOption(sessionId: string, id: string, value: unknown) {
    const { host } = this.#session(sessionId).agent;
    if (typeof value !== "string") {
      throw RequestError.invalidParams(undefined, "value: must be one of the offered names.");
    }
    if (id === "mode") await this.setMode(sessionId, value);
    else await chooseForThread(host, sessionId, { id, value });
    return { configOptions: await this.#getOptions(sessionId) };
  }

  async close(): Promise<void> {
    const agents = await Promise.allSettled(this.#agents.values());
    await Promise.all(
      agents.map((result) => (result.status === "fulfilled" ? result.value.close() : undefined)),
    );
  }

  #add(sessionId: string, agent: AcpAgent, cwd: string): void {
    this.#sessions.set(sessionId, {
      agent,
      cwd,
      updates: new SessionUpdates(cwd),
      turn: undefined,
      sentOptions: "",
    });
  }

  async #standing(sessionId: string) {
    const { agent } = this.#session(sessionId);
    return { modes: await listModes(agent), configOptions: await this.#getOptions(sessionId) };
  }

  async #getOptions(sessionId: string) {
    const { host } = this.#session(sessionId).agent;
    const [mode, chosen] = await Promise.all([loadMode(host), host.chosen(sessionId)]);
    const options = sessionOptions({ mode, chosen, models: this.#getModels(host) });
    this.#session(sessionId).sentOptions = JSON.stringify(options);
    return options;
  }

  async #sendOptions(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    const { sentOptions } = session;
    const configOptions = await this.#getOptions(sessionId);
    if (session.sentOptions === sentOptions) return;
    await this.#send(sessionId, { sessionUpdate: "config_option_update", configOptions });
  }

  #getModels(host: ThreadHost): readonly string[] {
    const known = this.#models.get(host);
    if (known !== undefined) return known;
    this.#models.set(host, []);
    const announceSession = async () => {
      this.#models.set(host, await host.models());
      for (const id of this.#getSessions(host)) await this.#sendOptions(id);
    };
    // Expected: the provider cannot list models; `/model NAME` remains.
    announceSession().catch(() => undefined);
    return [];
  }

  #getSessions(host: ThreadHost): readonly string[] {
    return [...this.#sessions].flatMap(([id, { agent }]) => (agent.host === host ? [id] : []));
  }

  #session(sessionId: string): Session {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw RequestError.resourceNotFound(sessionId);
    return session;
  }

  #getAgent(cwd: string, servers: readonly McpServer[]): Promise<AcpAgent> {
    const mcpServers = convertClientServers(servers);
    const same = servers.length === 0 ? this.#ofProject(cwd) : undefined;
    if (same !== undefined) return same;
    const key = JSON.stringify([cwd, mcpServers]);
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const opening = this.#open({ cwd, mcpServers }).then((agent) => {
      agent.host.subscribe((event) => this.#onEvent(event));
      agent.host.permission.attach((notice) => this.#onNotice(agent, notice));
      return agent;
    });
    this.#agents.set(key, opening);
    opening.catch(() => this.#agents.delete(key));
    return opening;
  }

  #ofProject(cwd: string): Promise<AcpAgent> | undefined {
    return [...this.#agents].find(([key]) => JSON.parse(key)[0] === cwd)?.[1];
  }

  #onEvent(event: AgentEvent): void {
    const session = this.#sessions.get(event.threadId);
    if (session === undefined) return;
    if (session.turn !== undefined && event.type === "error") session.turn.error = event.message;
    if (session.turn !== undefined && event.type === "status" && event.phase === "aborted") {
      session.turn.wasAborted = true;
    }
    for (const update of session.updates.of(event)) void this.#send(event.threadId, update);
  }

  #onNotice(agent: AcpAgent, notice: PermissionNotice): void {
    if (notice.type !== "permission.ask") return;
    const { question } = notice;
    if (this.#sessions.has(question.threadId)) {
      void this.#ask(agent, question, question.threadId);
    }
  }

  async #ask({ host }: AcpAgent, question: PermissionQuestion, sessionId: string): Promise<void> {
    const { cwd } = this.#session(sessionId);
    const answer = await requestPermission(this.#client, question, { sessionId, cwd });
    const { threadId, questionId } = question;
    try {
      // An editor that cannot prompt counts as a denial.
      host.permission.answer(threadId, questionId, { decision: "no", ...answer, by: "editor" });
    } catch (error) {
      // Answered elsewhere or cancelled while the editor prompted.
      if (!isCairnError(error)) throw error;
    }
  }

  async #send(sessionId: string, update: SessionUpdate): Promise<void> {
    await this.#client.notify("session/update", { sessionId, update }).catch(() => undefined);
  }
}

async function loadMode({ permission }: ThreadHost): Promise<PermissionMode> {
  await permission.settled;
  return permission.mode;
}

async function listModes({ host }: AcpAgent): Promise<SessionModeState> {
  return {
    currentModeId: await loadMode(host),
    availableModes: PERMISSION_MODES.map((id) => ({ id, name: MODE_NAMES[id] })),
  };
}

function availableCommand({ name, summary, usage }: CommandHelp): readonly AvailableCommand[] {
  if (name.includes(" ")) return [];
  return [{ name, description: summary, ...(usage !== undefined && { input: { hint: usage } }) }];
}

export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const message = messageOf(error);
  if (!isCairnError(error)) return RequestError.internalError(undefined, message);
  if (error.code === "not_found") return new RequestError(-32002, message);
  if (error.code === "invalid_input") return RequestError.invalidParams(undefined, message);
  return RequestError.internalError(undefined, message);
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

interface ServerAtAddress {
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly headers: readonly Pair[];
}

function convertClientServers(servers: readonly McpServer[]): Record<string, unknown> {
  return Object.fromEntries(
    servers.map((server) => {
      const name = server.name.replace(/[^\w.-]/g, "_").slice(0, 40) || "server";
      if ("command" in server) {
        const { command, args, env } = server;
        return [name, { command, args, env: toRecord(env) }];
      }
      if (!hasAddress(server)) {
        throw RequestError.invalidParams(undefined, `mcpServers: "${name}" has no address.`);
      }
      return [name, { type: server.type, url: server.url, headers: toRecord(server.headers) }];
    }),
  );
}

function hasAddress(server: object): server is ServerAtAddress {
  return "url" in server;
}

function toRecord(list: readonly Pair[]) {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
