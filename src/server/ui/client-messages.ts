import { z } from "zod";
import { EFFORTS, PERMISSION_MODES } from "../../agent/index.ts";

export const LONGEST_THREAD_ID = 128;

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
    summary: "Asks for `session.ready` again. The version is not checked.",
    payload: z.object({
      protocolVersion: z.unknown().optional(),
      capabilities: z
        .array(z.string())
        .nullish()
        .describe(
          "What the client can do beyond showing events. `permission`: it shows `permission.ask` " +
            "and answers it; open questions follow at once.",
        ),
      client: z
        .string()
        .max(100)
        .nullish()
        .describe("How the log of what the agent did calls whoever answers by this client."),
    }),
  },
  "session.stop": {
    summary: "Ends the session: the server closes the socket with 1000. Runs go on.",
    payload: z.object({}),
  },
  "thread.create": {
    summary:
      "Creates a thread, or leaves the one of that id as it is. Everybody gets `thread.created`.",
    payload: z.object({
      threadId: threadId.nullish().describe("Chosen by the server when left out."),
      systemPromptPrefix: z
        .string()
        .nullish()
        .describe("Replaces the first line of the system prompt, unless it is blank."),
    }),
  },
  "thread.list": {
    summary: "Asks for `thread.list`.",
    payload: z.object({}),
  },
  "thread.rename": {
    summary: "Changes the title of the thread. Everybody gets `thread.list`.",
    payload: z.object({ threadId, title: z.string().trim().min(1).max(200) }),
  },
  "thread.choose": {
    summary:
      "Sets the model or the effort of the thread from its next message on; with neither it only " +
      "asks. Answered by `thread.chosen`.",
    payload: z.object({
      threadId,
      model: z.string().min(1).max(200).nullish(),
      effort: z.enum(EFFORTS).nullish(),
    }),
  },
  "thread.changes": {
    summary: "Asks for `thread.changes`: the files that the finished turns of the thread changed.",
    payload: z.object({ threadId }),
  },
  "thread.delete": {
    summary: "Aborts what runs on the thread and removes it. Everybody gets `thread.deleted`.",
    payload: z.object({ threadId }),
  },
  "thread.subscribe": {
    summary:
      "Sends the thread's events after `sinceSeq` again, then goes on live without a gap; or " +
      "answers `status` with phase `resync` when they are no longer kept.",
    payload: z.object({
      threadId,
      sinceSeq: z
        .int("must be a whole number")
        .min(0, "must be 0 or more")
        .describe("`seq` of the last event that the client has; 0 for none."),
    }),
  },
  "thread.history": {
    summary: "Asks for `thread.history`: what was said so far, for a screen that starts afresh.",
    payload: z.object({
      threadId,
      limit: z.int().min(1).max(1_000).nullish().describe("Entries at most, the last ones; 50."),
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
        .describe("Images for the model. A message, with them, has to fit into one frame."),
    }),
  },
  "queue.list": {
    summary: "Asks for `queue.list`: the messages that wait for the run.",
    payload: z.object({ threadId }),
  },
  "queue.change": {
    summary:
      "Changes a message that waits: its words, its place, or both. Everybody gets `status info`, " +
      "the client that asked `queue.list`; one that was read meanwhile is `not_found`.",
    payload: z.object({
      threadId,
      id: z.string().max(100).describe("Of `queue.list`; a message that was moved gets another."),
      text: z.string().nullish().describe("The words instead; not blank."),
      place: z.int().min(0).nullish().describe("Among those that wait, from 0."),
    }),
  },
  "queue.remove": {
    summary:
      "Takes a message back that waits. Everybody gets `status info`, the client `queue.list`.",
    payload: z.object({ threadId, id: z.string().max(100) }),
  },
  "model.list": {
    summary: "Asks for `model.list`: the models of the provider.",
    payload: z.object({}),
  },
  "mode.set": {
    summary:
      "Sets the permission mode of the project's agent. Everybody gets `session.ready` with the new mode.",
    payload: z.object({ mode: z.enum(PERMISSION_MODES) }),
  },
  "command.list": {
    summary: "Asks for `command.list`: what may be typed after a slash.",
    payload: z.object({}),
  },
  "path.list": {
    summary: "Asks for `path.list`: paths of the project to mention after an `@`.",
    payload: z.object({
      typed: z.string().max(500).describe("What stands behind the `@` so far; may be empty."),
      limit: z.int().min(1).max(200).nullish().describe("Paths at most; 20."),
    }),
  },
  "thread.told": {
    summary: "Asks for `thread.told`: what memory gave to the model on this thread.",
    payload: z.object({ threadId }),
  },
  "turn.list": {
    summary: "Asks for `turn.list`: the messages that can be taken back with what came of them.",
    payload: z.object({ threadId }),
  },
  "turn.undo": {
    summary:
      "Takes back a message of the user and all that followed it: files, conversation or " +
      "both, which includes what was remembered. " +
      "`status` says what was done, `error` why nothing was.",
    payload: z.object({
      threadId,
      turnId: z.string().max(100).nullish().describe("Of `turn.list`; the last one if left out."),
      scope: z.enum(["files", "conversation", "both"]).nullish().describe("`both` if left out."),
    }),
  },
  "server.list": {
    summary: "Asks for `server.list`: the servers of this user on this machine.",
    payload: z.object({}),
  },
  "task.list": {
    summary: "Asks for `task.list`: the plans and tasks of the project.",
    payload: z.object({}),
  },
  "task.run": {
    summary:
      "Works through tasks on the thread, with `status info` and its `progress` at each step; " +
      "`run.cancel` stops it. It is for clients that show both: typed as `message.user`, `/tasks run` " +
      "and `/plans run` stay the terminal's. A thread that is at work is `conflict`.",
    payload: z.object({
      threadId,
      id: z
        .string()
        .regex(/^\d+-\d+$/, "must be the id of a task, such as 0-2")
        .nullish()
        .describe("This task alone; left out: all open ones that belong to no plan."),
      plan: z.int().min(1).nullish().describe("All open tasks of this plan instead."),
    }),
  },
  "permission.answer": {
    summary: "Answers a `permission.ask`. The first answer counts; a later one is `not_found`.",
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
      "Aborts what runs on the thread, or leaves the flow that waits at a `prompt`. What was " +
      "acknowledged with `queued` is held until the run has finished, however it finishes: it " +
      "starts the next run after `aborted` and `idle`. A message that the server has taken is lost " +
      "to nobody because another client stopped the run it waited for.",
    payload: z.object({
      threadId,
      queued: z
        .enum(["keep", "drop"])
        .nullish()
        .describe(
          "`drop`: nothing that waits is run, and `status info` says so; `keep` if left out.",
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
