import type { AgentEvent, ThreadHost } from "../../agent/index.ts";
import type { Caller } from "../../shared/caller.ts";
import { CairnError, isCairnError } from "../../shared/errors.ts";
import type { ClientMessage, ClientMessageType, ClientPayload } from "./client-messages.ts";
import { clientThreads } from "./client-threads.ts";
import { encodeEvent, encodeMessage } from "./encode.ts";
import type { Outbox } from "./outbox.ts";
import { PROTOCOL_VERSION, type ServerMessage } from "./server-messages.ts";

/**
 * Milliseconds that events wait for a reconnecting client to subscribe, so that they follow the
 * replay and are not sent twice.
 */
const ARRIVAL_HOLD_MS = 200;
const MAX_BUFFERED = 1_000;

export class LiveFeed {
  readonly #host: ThreadHost;
  readonly #outbox: Outbox;
  readonly #timer: NodeJS.Timeout;
  #stored: { readonly event: AgentEvent; readonly text: string }[] | undefined = [];
  readonly #subscribed = new Set<string>();
  readonly #replays = new Map<string, symbol>();

  constructor(host: ThreadHost, outbox: Outbox) {
    this.#host = host;
    this.#outbox = outbox;
    // Process frames that arrived during a busy period before the wait ends.
    this.#timer = setTimeout(() => setImmediate(() => this.release()), ARRIVAL_HOLD_MS);
  }

  deliver(event: AgentEvent, text: string): void {
    if (this.#stored !== undefined && !this.#subscribed.has(event.threadId)) {
      this.#stored.push({ event, text });
      if (this.#stored.length > MAX_BUFFERED) this.release();
      return;
    }
    // The replay includes this event; a deleted thread has no replay.
    if (this.#replays.has(event.threadId) && event.type !== "thread.deleted") return;
    this.#outbox.send(text);
  }

  release(): void {
    clearTimeout(this.#timer);
    const bufferedEvents = this.#stored ?? [];
    this.#stored = undefined;
    this.#subscribed.clear();
    for (const { event, text } of bufferedEvents) this.deliver(event, text);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stored = undefined;
    this.#replays.clear();
  }

  /** Sends events after `sinceSeq`, then live events. Throws the errors of `replay`. */
  subscribe(threadId: string, sinceSeq: number): void {
    const missed = this.#host.replay(threadId, sinceSeq);
    if (missed === undefined) {
      this.#replays.delete(threadId);
      this.#sendResync(threadId);
      return;
    }
    this.#stored = this.#stored?.filter(({ event }) => event.threadId !== threadId);
    this.#subscribed.add(threadId);
    const subscription = Symbol(threadId);
    this.#replays.set(threadId, subscription);
    const rest = this.#sendBurst(missed, sinceSeq);
    if (rest === undefined) this.#replays.delete(threadId);
    else void this.#continueReplay({ threadId, subscription, cursor: rest });
  }

  async #continueReplay(replay: Replay): Promise<void> {
    const { threadId, subscription } = replay;
    let cursor: number | undefined = replay.cursor;
    while (cursor !== undefined) {
      await this.#outbox.flushed();
      if (!this.#outbox.isOpen || this.#replays.get(threadId) !== subscription) return;
      const missed = this.#missedSince(threadId, cursor);
      if (missed === undefined) {
        this.#sendResync(threadId);
        break;
      }
      cursor = this.#sendBurst(missed, cursor);
    }
    this.#replays.delete(threadId);
  }

  /** Sends until the outbox fills. Returns the next sequence number; undefined when finished. */
  #sendBurst(events: readonly AgentEvent[], sinceSeq: number): number | undefined {
    let cursor = sinceSeq;
    for (const event of events) {
      if (this.#outbox.isFilling) return cursor;
      this.#outbox.send(encodeEvent(event));
      cursor = event.seq;
    }
    return undefined;
  }

  #missedSince(threadId: string, cursor: number): readonly AgentEvent[] | undefined {
    try {
      return this.#host.replay(threadId, cursor);
    } catch (error) {
      // Deleted in the meantime; `thread.deleted` has informed the client.
      const isDeleted = isCairnError(error) && error.code === "not_found";
      return isDeleted ? [] : undefined;
    }
  }

  #sendResync(threadId: string): void {
    this.#outbox.send(
      encodeMessage({
        type: "status",
        payload: {
          threadId,
          phase: "resync",
          message:
            "The missed events are no longer available. Request thread.history and rebuild the view.",
        },
      }),
    );
  }
}

interface Replay {
  readonly threadId: string;
  readonly subscription: symbol;
  readonly cursor: number;
}

export interface MessageContext {
  readonly host: ThreadHost;
  readonly feed: LiveFeed;
  send(message: ServerMessage): void;
  broadcast(message: (scope: Caller["scope"]) => ServerMessage): void;
  readonly scope: Caller["scope"];
  /** Routes permission requests to this client; the name is logged. */
  takeQuestions(name: string): void;
  readonly clientName: string;
  readonly takesQuestions: boolean;
  readonly servers: () => UserServers;
  end(): void;
}

export type UserServers = Extract<ServerMessage, { type: "server.list" }>["payload"]["servers"];

export async function handleMessage(message: ClientMessage, context: MessageContext) {
  const handle = handlers[message.type] as Handler<ClientMessageType>;
  await handle(message.payload, context);
}

export function sessionReady({ info }: ThreadHost, scope: Caller["scope"]): ServerMessage {
  const { model, provider, cwd, sandbox, permissionMode } = info;
  return {
    type: "session.ready",
    payload: {
      ...{ protocolVersion: PROTOCOL_VERSION, model, provider, cwd, sandbox, permissionMode },
      ...(scope === "approve" && { scope }),
    },
  };
}

function threadList(host: ThreadHost): ServerMessage {
  return { type: "thread.list", payload: { threads: clientThreads(host) } };
}

/** Default limit of paths in a response. */
const MAX_PATHS = 20;

type Handler<Type extends ClientMessageType> = (
  payload: ClientPayload<Type>,
  context: MessageContext,
) => Promise<void> | void;

const handlers: { readonly [Type in ClientMessageType]: Handler<Type> } = {
  "session.start": ({ capabilities, client }, context) => {
    const { host, send, broadcast, takeQuestions } = context;
    send(sessionReady(host, context.scope));
    if (capabilities?.includes("permission") !== true) return;
    const { mode } = host.permission;
    takeQuestions(client ?? "a client");
    if (host.permission.mode !== mode) broadcast((scope) => sessionReady(host, scope));
  },
  "session.stop": (_payload, { end }) => end(),
  "thread.create": async ({ threadId, systemPromptPrefix }, { host }) => {
    await host.create({
      ...(threadId != null && { threadId }),
      ...(systemPromptPrefix != null && { systemPromptPrefix }),
    });
  },
  "thread.list": (_payload, { host, send }) => send(threadList(host)),
  "thread.rename": async ({ threadId, title }, { host, broadcast }) => {
    await host.rename(threadId, title);
    broadcast(() => threadList(host));
  },
  "thread.choose": async ({ threadId, model, effort }, { host, send }) => {
    const chosen = await (model == null && effort == null
      ? host.chosen(threadId)
      : host.choose(threadId, {
          ...(model != null && { model }),
          ...(effort != null && { effort }),
        }));
    send({ type: "thread.chosen", payload: { threadId, ...chosen } });
  },
  "thread.changes": async ({ threadId }, { host, send }) =>
    send({ type: "thread.changes", payload: { threadId, files: await host.changes(threadId) } }),
  "thread.delete": ({ threadId }, { host }) => host.delete(threadId),
  "thread.subscribe": ({ threadId, sinceSeq }, { feed }) => feed.subscribe(threadId, sinceSeq),
  "thread.history": async ({ threadId, limit }, { host, send }) => {
    const entries = (await host.history?.(threadId, limit ?? undefined)) ?? [];
    send({ type: "thread.history", payload: { threadId, entries: [...entries] } });
  },
  "message.user": async ({ threadId, text, attachments }, { host }) => {
    const mentions: string[] = [];
    for (const { data } of attachments ?? []) {
      mentions.push(await host.storeImage(Buffer.from(data, "base64")));
    }
    const fullText = [text, mentions.join(" ")].filter((part) => part.trim() !== "").join("\n\n");
    if (fullText !== "") await host.send(threadId, fullText);
  },
  "queue.list": ({ threadId }, context) => sendQueue(threadId, context),
  "queue.change": async ({ threadId, id, text, place }, context) => {
    await context.host.changeQueued(threadId, id, {
      ...(text != null && { text }),
      ...(place != null && { place }),
    });
    await sendQueue(threadId, context);
  },
  "queue.remove": async ({ threadId, id }, context) => {
    await context.host.removeQueued(threadId, id);
    await sendQueue(threadId, context);
  },
  "model.list": async (_payload, { host, send }) => {
    const models = await host.models().catch((error: unknown) => {
      // Some providers do not list models.
      if (isCairnError(error) && error.code === "unavailable") return [];
      throw error;
    });
    send({ type: "model.list", payload: { models } });
  },
  "mode.set": ({ mode }, { host, broadcast }) => {
    host.permission.setMode(mode);
    broadcast((scope) => sessionReady(host, scope));
  },
  "command.list": async (_payload, { host, send }) =>
    send({ type: "command.list", payload: { commands: await host.commands() } }),
  "path.list": async ({ typed, limit }, { host, send }) =>
    send({
      type: "path.list",
      payload: { typed, paths: await host.paths(typed, limit ?? MAX_PATHS) },
    }),
  "thread.told": ({ threadId }, { host, send }) =>
    send({ type: "thread.told", payload: { threadId, ...host.shownMemory(threadId) } }),
  "turn.list": async ({ threadId }, { host, send }) =>
    send({ type: "turn.list", payload: { threadId, turns: [...(await host.turns(threadId))] } }),
  "turn.undo": ({ threadId, turnId, scope }, { host }) =>
    host.undo(threadId, {
      ...(turnId != null && { turnId }),
      ...(scope != null && { scope }),
    }),
  "server.list": (_payload, { send, servers }) =>
    send({ type: "server.list", payload: { servers: servers() } }),
  "task.list": async (_payload, { host, send }) =>
    send({ type: "task.list", payload: await host.tasks() }),
  "task.run": ({ threadId, id, plan }, { host }) =>
    host.runTasks(threadId, {
      ...(id != null && { id }),
      ...(plan != null && { plan }),
    }),
  "permission.answer": ({ threadId, questionId, decision, message }, context) => {
    const { host, takesQuestions, clientName } = context;
    if (!takesQuestions) {
      throw new CairnError(
        "forbidden",
        'Only clients with the capability "permission" can answer: declare it in session.start.',
      );
    }
    host.permission.answer(threadId, questionId, {
      decision,
      ...(message != null && { message }),
      by: clientName,
    });
  },
  "run.cancel": ({ threadId, queued }, { host }) =>
    host.cancel(threadId, { ...(typeof queued === "string" && { queued }) }),
};

async function sendQueue(threadId: string, { host, send }: MessageContext): Promise<void> {
  const messages = await host.queued(threadId);
  send({ type: "queue.list", payload: { threadId, messages } });
}
