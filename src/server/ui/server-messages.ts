import { z } from "zod";
import { EFFORTS, PERMISSION_MODES } from "../../agent/index.ts";
import { threadId } from "./client-messages.ts";

export const PROTOCOL_VERSION = 2;

const timestamp = z.iso.datetime().describe("ISO 8601, UTC.");
const contextLabel = z.string().optional().describe("`[Name]` inside a nested subagent.");
const subagentId = z
  .string()
  .optional()
  .describe("Id of the subagent, from its `status` with phase `subagent`.");

const threadEvent = {
  threadId,
  seq: z.int().min(1).describe("Sequence number of the thread's events, from 1 without gaps."),
  runId: z.string().optional().describe("Present during a run."),
};

export const STATUS_PHASES = {
  running: "A run of the agent started.",
  idle: "The run ended; exactly one for each `running`.",
  queued: "A message is held until the next step of the run, or its end.",
  prompt: "The next `message.user` on this thread is the reply to `message`.",
  info: "A line for the user.",
  success: "Something was done.",
  print: "A longer text for the user.",
  aborted: "The run was cancelled and its processes have ended. `idle` follows.",
  interjection: "A held message was given to the agent during its run.",
  handover: "The conversation is being summarized to continue in a new context.",
  memory: "Relevant memory was given to the agent.",
  offer: "The run produced candidates for memory: `/keep` or `/keep 2` stores them.",
  learned: "Items were stored automatically; see `memories`, or `message` for a summary.",
  thinking: "A piece of the model's reasoning.",
  calling: "A call's arguments are being received: its tool, and `size` characters so far.",
  output: "Latest output lines of a call's command.",
  subagent: "A subagent has started or ended; see `subagent`.",
  resync: "Missed events are no longer available: rebuild the thread's view.",
} as const;

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number().optional().describe("Input tokens read from the provider's cache."),
  cacheWriteTokens: z.number().optional().describe("Input tokens written to the cache."),
  cost: z
    .number()
    .optional()
    .describe("Cost of the thread in US dollars since it was opened, if prices are known."),
  contextUsed: z.number().optional().describe("Used fraction of the context window, 0 to 1."),
  contextSize: z.number().optional().describe("Size of the context window in tokens."),
  isWindowAssumed: z
    .literal(true)
    .optional()
    .describe("The model's context window is unknown; a typical size is assumed."),
});

const subagent = z.object({
  id: z.string(),
  label: z.string().describe("`contextLabel` of its events."),
  name: z.string(),
  task: z.string().describe("Its task."),
  callId: z.string().describe("Id of the `tool.call` that started it."),
  parent: z.string().optional().describe("Parent subagent; omitted for the thread itself."),
  state: z.enum(["running", "done", "failed", "stopped"]),
  spent: z
    .object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cost: z.number().optional().describe("US dollars, if prices are known."),
    })
    .optional()
    .describe("After its end: its usage, including nested subagents."),
});

const question = z.object({
  threadId,
  questionId: z.string(),
  callId: z.string().describe("Id of the waiting `tool.call`."),
  tool: z.string(),
  title: z.string().describe("One line: the command, the path."),
  command: z.string().optional().describe("Full command of a shell call."),
  diff: z.string().optional().describe("Unified diff of the proposed change."),
  reason: z.string().describe("Reason; empty if the mode requires it."),
  always: z
    .array(z.string())
    .readonly()
    .describe("Rules that `session` and `always` would add; empty if not offered."),
  readBefore: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("Sources of untrusted content in the conversation: `example.org/…`, `mcp:docs`."),
  contextLabel,
});

const recallReason = z.object({
  how: z
    .enum(["question", "passage", "standing", "tool", "cure", "file"])
    .describe(
      "Matches the query; resolved a similar matter; applies to such work; names the tool to use; " +
        "fixed the same failure; concerns the file.",
    ),
  score: z.number().optional().describe("Activation from 0 to 1, if ranked."),
  parts: z
    .array(z.object({ kind: z.string(), amount: z.number() }))
    .readonly()
    .optional()
    .describe("Largest score components, such as `text` and `vector`."),
});

const thread = z.object({
  threadId,
  createdAt: timestamp,
  updatedAt: timestamp,
  messageCount: z.int(),
  isRunning: z.boolean(),
  isBusy: z.boolean().optional().describe("Also true between the runs of a flow, at its prompts."),
  queued: z.int().describe("Number of queued messages."),
  pendingPrompt: z.string().optional().describe("Question waiting for a reply."),
  pendingPermission: question.optional().describe("Call waiting for `permission.answer`."),
  title: z.string().optional().describe("First line of the first message, or as renamed."),
  model: z.string().optional().describe("Chosen for this thread with `/model`."),
  parent: z.string().optional().describe("Thread from which this one was forked or continued."),
});

/** Server messages. Payloads and `phase` may gain values, which clients ignore if unknown. */
export const serverMessages = {
  "session.ready": {
    summary: "To a client that connects or sends `session.start`; to all clients after `mode.set`.",
    payload: z.object({
      protocolVersion: z.literal(PROTOCOL_VERSION),
      model: z.string(),
      provider: z.string(),
      cwd: z.string().describe("The project's folder."),
      sandbox: z.string().describe("Sandbox of shell commands, or `off` with the reason."),
      permissionMode: z
        .enum(PERMISSION_MODES)
        .describe("Permission mode: what runs without asking."),
      scope: z
        .literal("approve")
        .optional()
        .describe("The token only allows answering permission requests and stopping runs."),
    }),
  },
  "thread.created": {
    summary: "To all clients; also if the thread already existed.",
    payload: z.object(threadEvent),
  },
  "thread.deleted": {
    summary: "To all clients; the last event of the thread.",
    payload: z.object(threadEvent),
  },
  "thread.list": {
    summary: "To the requesting client.",
    payload: z.object({ threads: z.array(thread) }),
  },
  "thread.chosen": {
    summary: "To the requesting client.",
    payload: z.object({
      threadId,
      model: z.string(),
      effort: z.enum(EFFORTS).optional().describe("Default: the provider's."),
    }),
  },
  "thread.changes": {
    summary: "To the requesting client: each file changed since the thread began.",
    payload: z.object({
      threadId,
      files: z
        .array(
          z.object({
            path: z.string(),
            diff: z.string().describe("Unified diff; empty for binary files."),
          }),
        )
        .readonly(),
    }),
  },
  "model.list": {
    summary: "To the requesting client.",
    payload: z.object({
      models: z.array(z.string()).readonly().describe("Empty if the provider cannot list models."),
    }),
  },
  "thread.history": {
    summary: "To the requesting client; oldest first.",
    payload: z.object({
      threadId,
      entries: z.array(
        z.object({
          role: z.enum(["user", "assistant", "tool"]),
          text: z.string().describe("Text, or the name of a tool."),
          args: z.unknown().optional().describe("Output of a call; long text is truncated."),
          failure: z.string().optional().describe("Reason why a call was denied or failed."),
        }),
      ),
    }),
  },
  "queue.list": {
    summary: "To the requesting client: queued messages, next one first.",
    payload: z.object({
      threadId,
      messages: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
    }),
  },
  "command.list": {
    summary: "To the requesting client.",
    payload: z.object({
      commands: z
        .array(
          z.object({
            name: z.string().describe("Command words after the slash: `tasks add`."),
            summary: z.string(),
            usage: z.string().optional().describe("Arguments: `[id]`, `<text>`."),
          }),
        )
        .readonly(),
    }),
  },
  "path.list": {
    summary: "To the requesting client; best first.",
    payload: z.object({
      typed: z.string().describe("The query, since responses may arrive late."),
      paths: z.array(z.string()).readonly().describe("Relative; folders end with a slash."),
    }),
  },
  "thread.told": {
    summary: "To the requesting client: memory shown to the model since the thread was opened.",
    payload: z.object({
      threadId,
      atStart: z.array(z.string()).readonly().describe("Ids of items in the system prompt."),
      since: z
        .array(z.object({ id: z.string(), text: z.string() }))
        .readonly()
        .describe("Items shown with messages and calls, latest first."),
    }),
  },
  "server.list": {
    summary: "To the requesting client, by project folder.",
    payload: z.object({
      servers: z
        .array(
          z.object({
            url: z.string(),
            cwd: z.string().describe("The folder of its project."),
            hasPage: z.boolean().describe("True if it serves the page."),
            waiting: z.int().describe("Number of pending permission requests."),
            isThis: z.boolean(),
          }),
        )
        .readonly(),
    }),
  },
  "task.list": {
    summary: "To the requesting client: plans and tasks from the project's files.",
    payload: z.object({
      plans: z
        .array(
          z.object({
            id: z.int(),
            name: z.string(),
            description: z.string(),
            approach: z.string().describe("Instructions in Markdown."),
          }),
        )
        .readonly(),
      tasks: z
        .array(
          z.object({
            id: z.string(),
            plan: z.int().describe("0: no plan."),
            name: z.string(),
            description: z.string(),
            status: z.enum(["pending", "in-progress", "done"]),
          }),
        )
        .readonly(),
    }),
  },
  "turn.list": {
    summary: "To the requesting client; oldest first.",
    payload: z.object({
      threadId,
      turns: z.array(
        z.object({
          turnId: z.string(),
          at: timestamp,
          text: z.string().describe("First line of the user's message."),
          files: z.int().describe("Number of changed files."),
          remembered: z.int().describe("Number of writes to memory."),
        }),
      ),
    }),
  },
  "assistant.delta": {
    summary: "A streamed piece of the agent's text.",
    payload: z.object({ ...threadEvent, text: z.string(), contextLabel, subagentId }),
  },
  "assistant.done": {
    summary: "The complete text of one step.",
    payload: z.object({
      ...threadEvent,
      text: z.string(),
      usage: usage.optional().describe("Usage since the last report, including subagents."),
      contextLabel,
      subagentId,
    }),
  },
  "tool.call": {
    summary: "The agent uses a tool.",
    payload: z.object({
      ...threadEvent,
      callId: z.string(),
      name: z.string(),
      args: z.unknown(),
      contextLabel,
      subagentId,
    }),
  },
  "tool.result": {
    summary: "Result of a tool; exactly one for each `tool.call`.",
    payload: z.object({
      ...threadEvent,
      callId: z.string(),
      name: z.string(),
      summary: z.string().describe("Plain text without terminal codes."),
      hasDiff: z.boolean(),
      diff: z.string().optional().describe("Unified diff of a changed file."),
      output: z
        .string()
        .optional()
        .describe("Beginning and end of the result, if not shown otherwise."),
      isError: z.boolean().optional(),
      contextLabel,
      subagentId,
    }),
  },
  status: {
    summary: "State of a run, and lines for the user. `resync` goes to the requesting client.",
    payload: z.object({
      threadId: threadId.optional(),
      seq: threadEvent.seq.optional(),
      runId: threadEvent.runId,
      phase: z.enum(Object.keys(STATUS_PHASES) as (keyof typeof STATUS_PHASES)[]),
      message: z.string().optional(),
      said: z
        .string()
        .optional()
        .describe(
          "With `running`: the message that the run answers, for clients that did not send it.",
        ),
      choices: z
        .array(z.object({ key: z.string(), label: z.string() }))
        .optional()
        .describe("With `prompt`: suggested replies. Other text is accepted too."),
      progress: z
        .array(
          z.object({
            id: z.string(),
            label: z.string(),
            state: z.enum(["waiting", "running", "done", "failed"]),
          }),
        )
        .optional()
        .describe("With `info`: the current list."),
      callId: z.string().optional().describe("With `output`: id of its `tool.call`."),
      size: z.int().optional().describe("With `calling`: characters of the arguments so far."),
      usage: usage
        .optional()
        .describe("With `idle`: unreported usage, if the run ended without text."),
      memories: z
        .array(z.object({ id: z.string(), text: z.string(), why: recallReason.optional() }))
        .optional()
        .describe(
          "With `memory`: recalled items and reasons; with `offer`: numbered candidates; with `learned`: stored items.",
        ),
      subagent: subagent.optional().describe("With `subagent`: its state."),
      subagentId,
    }),
  },
  "permission.ask": {
    summary:
      "To clients with the capability `permission`: a call waits until one of them answers or the " +
      "run is cancelled. Without such a client, mode and rules decide.",
    payload: question,
  },
  "permission.settled": {
    summary: "To the same clients: the request is resolved.",
    payload: z.object({
      threadId,
      questionId: z.string(),
      decision: z.enum(["once", "session", "always", "no", "cancelled"]),
    }),
  },
  error: {
    summary:
      "A failure on a thread, to all clients (with `seq`); or an invalid message, to its client only.",
    payload: z.object({
      threadId: z.string().optional().describe("Thread id of the client's message, if any."),
      seq: threadEvent.seq.optional(),
      runId: threadEvent.runId,
      message: z.string(),
      code: z.string().optional().describe("One of the codes below."),
    }),
  },
} as const satisfies Record<string, ServerMessageDefinition>;

export interface ServerMessageDefinition {
  readonly summary: string;
  readonly payload: z.ZodObject;
}

type ServerMessageType = keyof typeof serverMessages;
export type ServerMessage = {
  [Type in ServerMessageType]: {
    readonly type: Type;
    readonly payload: z.input<(typeof serverMessages)[Type]["payload"]>;
  };
}[ServerMessageType];
