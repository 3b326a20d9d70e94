import type { ThreadHost } from "../../agent/index.ts";
import { CairnError } from "../../shared/errors.ts";
import type { ClientMessage, ClientMessageType, ClientPayload } from "./client-messages.ts";
import type { LiveFeed } from "./live-feed.ts";
import { ownThreads } from "./own-threads.ts";
import { PROTOCOL_VERSION, type ServerMessage } from "./server-messages.ts";

export interface MessageContext {
  readonly host: ThreadHost;
  readonly feed: LiveFeed;
  send(message: ServerMessage): void;
  /** From now on this client gets the questions about calls; the name is for the log. */
  takeQuestions(name: string): void;
  readonly clientName: string;
  /** It has declared that it shows questions. */
  readonly takesQuestions: boolean;
  /** Servers of this user that run now. */
  readonly servers: () => ServersOfUser;
  /** Closes the session on the client's wish. */
  end(): void;
}

export type ServersOfUser = Extract<ServerMessage, { type: "server.list" }>["payload"]["servers"];

/** Does what the message asks for. Throws CairnError for what the client did wrong. */
export async function handleMessage(message: ClientMessage, context: MessageContext) {
  const handle = handlers[message.type] as Handler<ClientMessageType>;
  await handle(message.payload, context);
}

export function sessionReady({ info }: ThreadHost): ServerMessage {
  const { model, provider, cwd, sandbox, permissionMode } = info;
  return {
    type: "session.ready",
    payload: { protocolVersion: PROTOCOL_VERSION, model, provider, cwd, sandbox, permissionMode },
  };
}

/** Paths in an answer where the client names no number. */
const MAX_PATHS = 20;

type Handler<Type extends ClientMessageType> = (
  payload: ClientPayload<Type>,
  context: MessageContext,
) => Promise<void> | void;

const handlers: { readonly [Type in ClientMessageType]: Handler<Type> } = {
  "session.start": ({ capabilities, client }, { host, send, takeQuestions }) => {
    send(sessionReady(host));
    if (capabilities?.includes("permission") === true) takeQuestions(client ?? "a client");
  },
  "session.stop": (_payload, { end }) => end(),
  "thread.create": async ({ threadId, systemPromptPrefix }, { host }) => {
    await host.create({
      ...(threadId != null && { threadId }),
      ...(systemPromptPrefix != null && { systemPromptPrefix }),
    });
  },
  "thread.list": (_payload, { host, send }) =>
    send({ type: "thread.list", payload: { threads: ownThreads(host) } }),
  "thread.delete": ({ threadId }, { host }) => host.delete(threadId),
  "thread.subscribe": ({ threadId, sinceSeq }, { feed }) => feed.subscribe(threadId, sinceSeq),
  "thread.history": async ({ threadId, limit }, { host, send }) => {
    const entries = (await host.history?.(threadId, limit ?? undefined)) ?? [];
    send({ type: "thread.history", payload: { threadId, entries: [...entries] } });
  },
  "message.user": async ({ threadId, text, attachments }, { host }) => {
    const mentions: string[] = [];
    for (const { data } of attachments ?? []) {
      mentions.push(await host.keepImage(Buffer.from(data, "base64")));
    }
    const whole = [text, mentions.join(" ")].filter((part) => part.trim() !== "").join("\n\n");
    if (whole !== "") await host.send(threadId, whole);
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
  "command.list": async (_payload, { host, send }) =>
    send({ type: "command.list", payload: { commands: await host.commands() } }),
  "path.list": async ({ typed, limit }, { host, send }) =>
    send({
      type: "path.list",
      payload: { typed, paths: await host.paths(typed, limit ?? MAX_PATHS) },
    }),
  "thread.told": ({ threadId }, { host, send }) =>
    send({ type: "thread.told", payload: { threadId, ...host.told(threadId) } }),
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
        'Only a client that shows questions answers them: declare the capability "permission" in session.start.',
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
