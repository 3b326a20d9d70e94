import { z } from "zod";
import { EFFORTS, PERMISSION_MODES } from "../../agent/index.ts";
import { threadId } from "./client-messages.ts";

export const PROTOCOL_VERSION = 2;

const timestamp = z.iso.datetime().describe("ISO 8601, UTC.");
const contextLabel = z.string().optional().describe("`[Name]` inside a nested subagent.");
const subagentId = z
  .string()
  .optional()
  .describe("Of the subagent that it is about: the `id` of its `status` with phase `subagent`.");

const threadEvent = {
  threadId,
  seq: z.int().min(1).describe("Counts the events of the thread from 1, without a gap."),
  runId: z.string().optional().describe("Present during a run."),
};

export const STATUS_PHASES = {
  running: "A run of the agent started.",
  idle: "The run ended; exactly one for each `running`.",
  queued: "A message is held until the next step of the run, or its end.",
  prompt: "The next `message.user` on this thread answers `message`.",
  info: "A line for the person.",
  success: "Something was done.",
  print: "A longer text to show.",
  aborted: "The run was cancelled; all of its processes are gone. `idle` follows.",
  interjection: "A held message was given to the agent during its run.",
  handover: "The conversation is being summed up, to go on in a fresh context.",
  memory: "What the memory holds about the message was given to the agent.",
  offer: "The work brought something worth keeping: `/keep` or `/keep 2` keeps it.",
  learned: "Something was kept by itself; `memories` says what, `message` in one line.",
  thinking: "The next words of the model's reasoning.",
  calling: "The arguments of a call are on their way: its tool, and `size` characters so far.",
  output: "The last lines that the command of a call said.",
  subagent: "Work was handed to a subagent, or the subagent has ended; `subagent` says which.",
  resync: "Missed events are no longer kept: start the thread's view afresh.",
} as const;

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number().optional().describe("Of the input, read from the provider's cache."),
  cacheWriteTokens: z.number().optional().describe("Of the input, written into it."),
  cost: z
    .number()
    .optional()
    .describe("US dollars of the thread since it was opened, where prices are known."),
  contextUsed: z.number().optional().describe("Share of the context window, 0 to 1."),
  contextSize: z.number().optional().describe("Tokens of that window."),
  isWindowAssumed: z
    .literal(true)
    .optional()
    .describe("The window of the model is not known: the share is of a usual one."),
});

const subagent = z.object({
  id: z.string(),
  label: z.string().describe("The `contextLabel` of what it says and does."),
  name: z.string(),
  task: z.string().describe("What it was asked."),
  callId: z.string().describe("Of the `tool.call` that handed the work on."),
  parent: z.string().optional().describe("The subagent that did so; left out: the thread itself."),
  state: z.enum(["running", "done", "failed", "stopped"]),
  spent: z
    .object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cost: z.number().optional().describe("US dollars, where prices are known."),
    })
    .optional()
    .describe("Once it has ended: what it took, all that it handed on included."),
});

const question = z.object({
  threadId,
  questionId: z.string(),
  callId: z.string().describe("Of the `tool.call` that waits."),
  tool: z.string(),
  title: z.string().describe("One line: the command, the path."),
  command: z.string().optional().describe("Of a shell call, whole."),
  diff: z.string().optional().describe("Unified diff of what would change."),
  reason: z.string().describe("Why it asks; empty: because of the mode."),
  always: z
    .array(z.string())
    .readonly()
    .describe("What `session` and `always` would allow from now on; empty: neither is offered."),
  readBefore: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("Where words of others in the conversation came from: `example.org/…`, `mcp:docs`."),
  contextLabel,
});

const recallReason = z.object({
  how: z
    .enum(["question", "passage", "standing", "tool", "cure", "file"])
    .describe(
      "It is about the question; settled such a matter; holds for such work; names the tool to use; " +
        "cured the same failure; is about the file.",
    ),
  score: z.number().optional().describe("Activation, 0 to 1, where it was ranked."),
  parts: z
    .array(z.object({ kind: z.string(), amount: z.number() }))
    .readonly()
    .optional()
    .describe("The largest parts of the score, such as `text` and `vector`."),
});

const thread = z.object({
  threadId,
  createdAt: timestamp,
  updatedAt: timestamp,
  messageCount: z.int(),
  isRunning: z.boolean(),
  isBusy: z.boolean().optional().describe("Also true between the runs of a flow, at its prompts."),
  queued: z.int().describe("Messages that wait for the run."),
  pendingPrompt: z.string().optional().describe("The question that waits for a reply."),
  pendingPermission: question.optional().describe("The call that waits for `permission.answer`."),
  title: z.string().optional().describe("First line of the first message, or as renamed."),
  model: z.string().optional().describe("Chosen for this thread with `/model`."),
  parent: z.string().optional().describe("The thread whose conversation this one goes on from."),
});

/** Server messages. Payloads and `phase` may gain values, which clients ignore if unknown. */
export const serverMessages = {
  "session.ready": {
    summary:
      "To a client that has connected or sent `session.start`; to everybody after `mode.set`.",
    payload: z.object({
      protocolVersion: z.literal(PROTOCOL_VERSION),
      model: z.string(),
      provider: z.string(),
      cwd: z.string().describe("The project's folder."),
      sandbox: z.string().describe("The sandbox that shell commands run in, or `off` and why."),
      permissionMode: z.enum(PERMISSION_MODES).describe("What runs without a question."),
      scope: z
        .literal("approve")
        .optional()
        .describe("The token only answers permission questions and stops runs."),
    }),
  },
  "thread.created": {
    summary: "To everybody; also when the thread existed already.",
    payload: z.object(threadEvent),
  },
  "thread.deleted": {
    summary: "To everybody; the last event of the thread.",
    payload: z.object(threadEvent),
  },
  "thread.list": {
    summary: "To the client that asked.",
    payload: z.object({ threads: z.array(thread) }),
  },
  "thread.chosen": {
    summary: "To the client that asked.",
    payload: z.object({
      threadId,
      model: z.string(),
      effort: z.enum(EFFORTS).optional().describe("Left out: the default of the provider."),
    }),
  },
  "thread.changes": {
    summary: "To the client that asked: each file that differs from before the thread.",
    payload: z.object({
      threadId,
      files: z
        .array(
          z.object({
            path: z.string(),
            diff: z.string().describe("Unified diff; empty for what is not text."),
          }),
        )
        .readonly(),
    }),
  },
  "model.list": {
    summary: "To the client that asked.",
    payload: z.object({
      models: z.array(z.string()).readonly().describe("Empty if the provider does not list them."),
    }),
  },
  "thread.history": {
    summary: "To the client that asked; oldest first.",
    payload: z.object({
      threadId,
      entries: z.array(
        z.object({
          role: z.enum(["user", "assistant", "tool"]),
          text: z.string().describe("As written; for a tool its name."),
          args: z.unknown().optional().describe("Of a call; long texts are cut."),
          failure: z.string().optional().describe("Of a call that was refused or failed: why."),
        }),
      ),
    }),
  },
  "queue.list": {
    summary: "To the client that asked: the messages that wait for the run, the next one first.",
    payload: z.object({
      threadId,
      messages: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
    }),
  },
  "command.list": {
    summary: "To the client that asked.",
    payload: z.object({
      commands: z
        .array(
          z.object({
            name: z.string().describe("Words behind the slash: `tasks add`."),
            summary: z.string(),
            usage: z.string().optional().describe("What may or must follow: `[id]`, `<text>`."),
          }),
        )
        .readonly(),
    }),
  },
  "path.list": {
    summary: "To the client that asked; best first.",
    payload: z.object({
      typed: z.string().describe("As it was asked for, since answers may come late."),
      paths: z.array(z.string()).readonly().describe("Relative; folders end with a slash."),
    }),
  },
  "thread.told": {
    summary: "To the client that asked: what memory gave since the thread was opened.",
    payload: z.object({
      threadId,
      atStart: z.array(z.string()).readonly().describe("Ids; they stand in the system prompt."),
      since: z
        .array(z.object({ id: z.string(), text: z.string() }))
        .readonly()
        .describe("With messages and calls, the latest first."),
    }),
  },
  "server.list": {
    summary: "To the client that asked: by the folder of their project.",
    payload: z.object({
      servers: z
        .array(
          z.object({
            url: z.string(),
            cwd: z.string().describe("The folder of its project."),
            hasPage: z.boolean().describe("A browser finds a page there."),
            waiting: z.int().describe("Its questions that wait for a person."),
            isThis: z.boolean(),
          }),
        )
        .readonly(),
    }),
  },
  "task.list": {
    summary: "To the client that asked: what is planned in the project, as its files say it.",
    payload: z.object({
      plans: z
        .array(
          z.object({
            id: z.int(),
            name: z.string(),
            description: z.string(),
            approach: z.string().describe("How it is to be done, Markdown."),
          }),
        )
        .readonly(),
      tasks: z
        .array(
          z.object({
            id: z.string(),
            plan: z.int().describe("0: it belongs to none."),
            name: z.string(),
            description: z.string(),
            status: z.enum(["pending", "in-progress", "done"]),
          }),
        )
        .readonly(),
    }),
  },
  "turn.list": {
    summary: "To the client that asked; oldest first.",
    payload: z.object({
      threadId,
      turns: z.array(
        z.object({
          turnId: z.string(),
          at: timestamp,
          text: z.string().describe("First line of what the user said."),
          files: z.int().describe("Files that it changed."),
          remembered: z.int().describe("Its writes to memory."),
        }),
      ),
    }),
  },
  "assistant.delta": {
    summary: "A piece of the agent's text as it comes.",
    payload: z.object({ ...threadEvent, text: z.string(), contextLabel, subagentId }),
  },
  "assistant.done": {
    summary: "The text of one step: its deltas joined.",
    payload: z.object({
      ...threadEvent,
      text: z.string(),
      usage: usage
        .optional()
        .describe("Of all requests since the last report, those of subagents too."),
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
    summary: "What a tool answered; exactly one for each `tool.call`.",
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
        .describe("Beginning and end of what the agent got, where the others leave it out."),
      isError: z.boolean().optional(),
      contextLabel,
      subagentId,
    }),
  },
  status: {
    summary: "Where a run stands, and lines for the person. `resync` goes to the one that asked.",
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
        .describe("With `prompt`: what most answers are. Other text is an answer too."),
      progress: z
        .array(
          z.object({
            id: z.string(),
            label: z.string(),
            state: z.enum(["waiting", "running", "done", "failed"]),
          }),
        )
        .optional()
        .describe("With `info`: the whole list as it stands now."),
      callId: z.string().optional().describe("With `output`: of its `tool.call`."),
      size: z.int().optional().describe("With `calling`: characters of the arguments so far."),
      usage: usage
        .optional()
        .describe("With `idle`: what was not reported yet, where the run ended without words."),
      memories: z
        .array(z.object({ id: z.string(), text: z.string(), why: recallReason.optional() }))
        .optional()
        .describe(
          "With `memory`: what was recalled, and why; with `offer`: what may be kept, numbered; with `learned`: what is kept now.",
        ),
      subagent: subagent.optional().describe("With `subagent`: what became of it."),
      subagentId,
    }),
  },
  "permission.ask": {
    summary:
      "To clients with the capability `permission`: a call waits until one of them answers, or the " +
      "run is cancelled. Without such a client the mode and the rules decide alone.",
    payload: question,
  },
  "permission.settled": {
    summary: "To the same clients: the question is closed.",
    payload: z.object({
      threadId,
      questionId: z.string(),
      decision: z.enum(["once", "session", "always", "no", "cancelled"]),
    }),
  },
  error: {
    summary:
      "A failure on a thread, to everybody (with `seq`); or a mistake of the client, to it alone.",
    payload: z.object({
      threadId: z.string().optional().describe("As the client wrote it, where it named one."),
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
