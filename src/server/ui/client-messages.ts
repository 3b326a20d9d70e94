import { z } from "zod";
import { EFFORTS, PERMISSION_MODES } from "../../agent/index.ts";

export const MAX_THREAD_ID_LENGTH = 128;

export const threadId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,128}$/, "must be 1 to 128 letters, digits, `.`, `_` or `-`")
  .describe("1 to 128 letters, digits, `.`, `_` or `-`.");

/**
 * Client messages `{"type": …, "payload": {…}}`. For compatibility with newer clients, unknown
 * fields are ignored and null means absent; wrong types are errors.
 */
export const clientMessages = {
  "session.start": {
    summary: "Requests `session.ready` again. The version is not checked.",
    payload: z.object({
      protocolVersion: z.unknown().optional(),
      capabilities: z
        .array(z.string())
        .nullish()
        .describe(
          "Capabilities beyond showing events. `permission`: the client shows `permission.ask` " +
            "and answers it; open requests follow immediately.",
        ),
      client: z
        .string()
        .max(100)
        .nullish()
        .describe("Name of this client's user in the audit log."),
    }),
  },
  "session.stop": {
    summary: "Ends the session: the server closes the socket with 1000. Runs continue.",
    payload: z.object({}),
  },
  "thread.create": {
    summary: "Creates a thread unless the id exists. All clients get `thread.created`.",
    payload: z.object({
      threadId: threadId.nullish().describe("Default: assigned by the server."),
      systemPromptPrefix: z
        .string()
        .nullish()
        .describe("Replaces the first line of the system prompt, unless blank."),
    }),
  },
  "thread.list": {
    summary: "Requests `thread.list`.",
    payload: z.object({}),
  },
  "thread.rename": {
    summary: "Renames the thread. All clients get `thread.list`.",
    payload: z.object({ threadId, title: z.string().trim().min(1).max(200) }),
  },
  "thread.choose": {
    summary:
      "Sets the model or effort of the thread from its next message on; with neither, only " +
      "requests them. The response is `thread.chosen`.",
    payload: z.object({
      threadId,
      model: z.string().min(1).max(200).nullish(),
      effort: z.enum(EFFORTS).nullish(),
    }),
  },
  "thread.changes": {
    summary: "Requests `thread.changes`: files changed by finished turns of the thread.",
    payload: z.object({ threadId }),
  },
  "thread.delete": {
    summary: "Aborts the thread's run and deletes the thread. All clients get `thread.deleted`.",
    payload: z.object({ threadId }),
  },
  "thread.subscribe": {
    summary:
      "Resends the thread's events after `sinceSeq`, then live events without a gap; or " +
      "sends `status` with phase `resync` if they are no longer available.",
    payload: z.object({
      threadId,
      sinceSeq: z
        .int("must be a whole number")
        .min(0, "must be 0 or more")
        .describe("`seq` of the client's last event; 0 for none."),
    }),
  },
  "thread.history": {
    summary: "Requests `thread.history`: the conversation so far, for a new view.",
    payload: z.object({
      threadId,
      limit: z
        .int()
        .min(1)
        .max(1_000)
        .nullish()
        .describe("Maximum number of latest entries; default: 50."),
    }),
  },
  "message.user": {
    summary:
      "A message for the agent, a slash command, or the reply to a `prompt`. Blank text is ignored.",
    payload: z.object({
      threadId,
      text: z.string(),
      attachments: z
        .array(z.object({ data: z.base64("must be base64").describe("A PNG, JPEG, GIF or WebP.") }))
        .max(10)
        .nullish()
        .describe("Images for the model. The message including images must fit into one frame."),
    }),
  },
  "queue.list": {
    summary: "Requests `queue.list`: the queued messages.",
    payload: z.object({ threadId }),
  },
  "queue.change": {
    summary:
      "Changes the text or position of a queued message. All clients get `status info`, " +
      "the requesting client `queue.list`; a message read in the meantime is `not_found`.",
    payload: z.object({
      threadId,
      id: z.string().max(100).describe("Id from `queue.list`; moving a message changes it."),
      text: z.string().nullish().describe("New text; not blank."),
      place: z.int().min(0).nullish().describe("New position in the queue, from 0."),
    }),
  },
  "queue.remove": {
    summary:
      "Removes a queued message. All clients get `status info`, the requesting client `queue.list`.",
    payload: z.object({ threadId, id: z.string().max(100) }),
  },
  "model.list": {
    summary: "Requests `model.list`: the provider's models.",
    payload: z.object({}),
  },
  "mode.set": {
    summary:
      "Sets the permission mode of the project's agent. All clients get `session.ready` with the new mode.",
    payload: z.object({ mode: z.enum(PERMISSION_MODES) }),
  },
  "command.list": {
    summary: "Requests `command.list`: the slash commands.",
    payload: z.object({}),
  },
  "path.list": {
    summary: "Requests `path.list`: project paths to mention with `@`.",
    payload: z.object({
      typed: z.string().max(500).describe("Text after the `@`; may be empty."),
      limit: z.int().min(1).max(200).nullish().describe("Paths at most; 20."),
    }),
  },
  "thread.told": {
    summary: "Requests `thread.told`: the memory shown to the model on this thread.",
    payload: z.object({ threadId }),
  },
  "turn.list": {
    summary: "Requests `turn.list`: the messages that can be undone with their effects.",
    payload: z.object({ threadId }),
  },
  "turn.undo": {
    summary:
      "Undoes a user message and everything after it: files, conversation or " +
      "both, including stored memory. " +
      "`status` reports the result, `error` the reason for a failure.",
    payload: z.object({
      threadId,
      turnId: z.string().max(100).nullish().describe("Id from `turn.list`; default: the last one."),
      scope: z.enum(["files", "conversation", "both"]).nullish().describe("Default: `both`."),
    }),
  },
  "server.list": {
    summary: "Requests `server.list`: the user's servers on this machine.",
    payload: z.object({}),
  },
  "task.list": {
    summary: "Requests `task.list`: the plans and tasks of the project.",
    payload: z.object({}),
  },
  "task.run": {
    summary:
      "Works through tasks on the thread, with `status info` and its `progress` at each step; " +
      "`run.cancel` stops it. For clients that show both: as `message.user`, `/tasks run` " +
      "and `/plans run` only work in the terminal. A running thread is `conflict`.",
    payload: z.object({
      threadId,
      id: z
        .string()
        .regex(/^\d+-\d+$/, "must be the id of a task, such as 0-2")
        .nullish()
        .describe("Only this task; default: all open tasks without a plan."),
      plan: z.int().min(1).nullish().describe("All open tasks of this plan instead."),
    }),
  },
  "permission.answer": {
    summary: "Answers a `permission.ask`. The first answer counts; later ones get `not_found`.",
    payload: z.object({
      threadId,
      questionId: z.string(),
      decision: z
        .enum(["once", "session", "always", "no"])
        .describe("`session`: in this thread until the server ends; `always`: in this project."),
      message: z.string().nullish().describe("With `no`: the reason, or what to do instead."),
    }),
  },
  "run.cancel": {
    summary:
      "Aborts the thread's run, or exits a flow waiting at a `prompt`. Messages " +
      "acknowledged with `queued` are held until the run has ended, however it ends; they " +
      "start the next run after `aborted` and `idle`, so no accepted message is lost " +
      "if another client stops the run.",
    payload: z.object({
      threadId,
      queued: z
        .enum(["keep", "drop"])
        .nullish()
        .describe(
          "`drop`: discards queued messages and reports it with `status info`; default: `keep`.",
        ),
    }),
  },
} as const satisfies Record<string, ClientMessageDefinition>;

export interface ClientMessageDefinition {
  readonly summary: string;
  readonly payload: z.ZodObject;
}

export type ClientMessageType = keyof typeof clientMessages;
export type ClientPayload<Type extends ClientMessageType> = z.output<
  (typeof clientMessages)[Type]["payload"]
>;

export type ClientMessage = {
  [Type in ClientMessageType]: { readonly type: Type; readonly payload: ClientPayload<Type> };
}[ClientMessageType];

export type ClientMessageToSend = {
  [Type in ClientMessageType]: {
    readonly type: Type;
    readonly payload: z.input<(typeof clientMessages)[Type]["payload"]>;
  };
}[ClientMessageType];
