import { z } from "zod";
import { withTrust } from "../shared/fields.ts";
import { mcpServersSettings } from "./mcp-servers/server-settings.ts";
import { PERMISSION_ACTIONS } from "./permission/permission-types.ts";
import { PERMISSION_MODES } from "./ports/permission-mode.ts";

const hookStep = z.union([
  z.strictObject({ shell: z.string().min(1) }),
  z.strictObject({ command: z.string().min(1), args: z.array(z.string()).default([]) }),
]);

const gate = z.array(
  z.strictObject({
    maxAttempts: z.number().int().min(1).default(1),
    steps: z.array(hookStep).min(1),
  }),
);

export const SANDBOX_SETTINGS = ["required", "auto", "off"] as const;

export type SandboxSetting = (typeof SANDBOX_SETTINGS)[number];

function fromBoolean(value: unknown): unknown {
  if (value === true || value === "true" || value === "1" || value === "on") return "auto";
  if (value === false || value === "false" || value === "0" || value === "no") return "off";
  return value;
}

export const agentSettings = withTrust(
  z.strictObject({
    maxSteps: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Model requests in one run; default: no limit."),
    maxCost: z
      .number()
      .min(0)
      .optional()
      .describe("Maximum cost in US dollars of a thread since it was opened; then its run ends."),
    parallelToolCalls: z
      .number()
      .int()
      .min(1)
      .max(32)
      .default(1)
      .describe(
        "Maximum concurrent tool calls of one step. With 1, only read-only calls and subagents run concurrently.",
      ),
    editMode: z
      .enum(["hashline", "searchReplace"])
      .default("hashline")
      .describe("Edit format of the agent: lines by number and hash, or search and replace."),
    tools: z
      .array(z.string())
      .optional()
      .describe("Tools offered to the model; [] offers none. Default: all."),
    memory: z
      .enum(["off", "read", "on"])
      .default("on")
      .describe("Access of the agent and of client hooks to the memory."),
    sandbox: z
      .preprocess(fromBoolean, z.enum(SANDBOX_SETTINGS))
      .default("auto")
      .describe(
        "Confine commands and hooks by bubblewrap or Seatbelt: `auto` where it works, `required` " +
          "runs none without it, `off` never. `true` is `auto`, `false` is `off`.",
      ),
    sandboxReads: z
      .array(z.string())
      .default([])
      .describe(
        "Folders and files of the home folder that sandboxed commands may read besides tools and " +
          "caches; `~/` is the home folder. Keys and logins stay hidden.",
      ),
    permission: z
      .strictObject({
        mode: z
          .enum(PERMISSION_MODES)
          .optional()
          .describe(
            "`plan` reads only, `ask` asks before edits and commands, `edits` edits without asking, " +
              "`auto` asks before calls that leave the project or cannot be undone. By default `auto` " +
              "in a sandbox and in `cairn ui-server`, otherwise and in the home folder `ask`.",
          ),
        rules: z
          .array(
            z.strictObject({
              tool: z.string().min(1),
              pattern: z.string().min(1).optional(),
              action: z.enum(PERMISSION_ACTIONS),
              tightens: z.boolean().optional(),
            }),
          )
          .default([])
          .describe(
            "`[{tool, pattern, action}]`: rules that allow, ask or deny; the last match wins.",
          ),
      })
      .prefault({}),
    mcpServers: mcpServersSettings
      .default({})
      .describe(
        "`{name: {command, args, env} | {type, url, headers}}`: servers of the Model Context Protocol, as in .mcp.json.",
      ),
    allowOutsideProject: z
      .boolean()
      .default(false)
      .describe("Allow tools to access files outside the project folder."),
    hooks: z
      .strictObject({
        stop: z
          .array(z.strictObject({ shell: z.string().min(1) }))
          .default([])
          .describe("`[{shell}]`: commands after each completed turn."),
        taskDone: gate
          .default([])
          .describe(
            "`[{maxAttempts, steps}]`: commands that must succeed before a task counts as done.",
          ),
        planDone: gate.default([]).describe("Commands that must succeed at the end of a plan."),
      })
      .default({ stop: [], taskDone: [], planDone: [] }),
    checks: z
      .array(
        z.strictObject({
          command: z.string().min(1),
          files: z.string().min(1).optional(),
          timeoutMs: z.number().int().min(1).default(60_000),
        }),
      )
      .default([])
      .describe(
        "`[{command, files, timeoutMs}]`: commands that run after an edit of a file that matches the glob `files`; new errors are appended to the result.",
      ),
    hookTimeoutMs: z
      .number()
      .int()
      .min(1)
      .default(600_000)
      .describe("Timeout of one hook in milliseconds."),
    handoverThreshold: z
      .number()
      .min(0.1)
      .max(1)
      .default(0.8)
      .describe(
        "Used fraction of the context window at which the agent writes a summary and continues from it.",
      ),
    subagent: z
      .strictObject({
        allowNestedSubagents: z.boolean().default(false).describe("Allow subagents to delegate."),
        models: z
          .record(z.string(), z.string().min(1))
          .default({})
          .describe(
            "`{subagent: model}`: such as a cheap one for `explore`; default: the thread's model.",
          ),
      })
      .prefault({}),
    run: z
      .strictObject({
        hours: z
          .number()
          .positive()
          .default(10)
          .describe("Time limit of `cairn run`, waits included."),
        maxCost: z.number().min(0).optional().describe("US dollars that `cairn run` may spend."),
        maxTokens: z.number().int().min(1).optional().describe("Tokens that `cairn run` may use."),
        checks: z
          .array(z.string().min(1))
          .default([])
          .describe("Commands that must succeed before a task of `cairn run` counts as done."),
      })
      .prefault({}),
    planMode: z
      .enum(["tasks", "goals"])
      .default("tasks")
      .describe("`goals` verifies the acceptance criteria after the tasks and repairs failures."),
    taskImplementationMaxAttempts: z
      .number()
      .int()
      .min(1)
      .default(3)
      .describe("Full cycles for one task before `/tasks run` stops."),
  }),
  {
    maxSteps: "trusted",
    maxCost: (value, user) => user === undefined || Number(value) <= Number(user),
    parallelToolCalls: "anyone",
    editMode: "anyone",
    tools: (value, user) => user === undefined || isSubset(value, user),
    memory: (value, user) =>
      MEMORY_ACCESS_ORDER.indexOf(value) <= MEMORY_ACCESS_ORDER.indexOf(user ?? "on"),
    sandbox: (value, user) => confinement(value) >= confinement(user ?? "auto"),
    sandboxReads: "trusted",
    permission: {
      mode: (value, user) =>
        PERMISSION_MODE_ORDER.indexOf(value) <= PERMISSION_MODE_ORDER.indexOf(user ?? "ask"),
      rules: (value) => !JSON.stringify(value).includes('"allow"'),
    },
    mcpServers: "trusted",
    allowOutsideProject: (value) => value === false,
    hooks: { stop: "trusted", taskDone: "trusted", planDone: "trusted" },
    checks: "trusted",
    hookTimeoutMs: "anyone",
    handoverThreshold: "trusted",
    subagent: {
      allowNestedSubagents: "trusted",
      models: "trusted",
    },
    run: { hours: "trusted", maxCost: "trusted", maxTokens: "trusted", checks: "trusted" },
    planMode: "anyone",
    taskImplementationMaxAttempts: "trusted",
  },
);

/** From the least to the most access. */
const MEMORY_ACCESS_ORDER: readonly unknown[] = ["off", "read", "on"];

/** From the strictest to the least strict. */
const PERMISSION_MODE_ORDER: readonly unknown[] = ["plan", "ask", "edits", "auto"];

const SANDBOX_ORDER: readonly unknown[] = ["off", "auto", "required"];

function confinement(value: unknown): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  return SANDBOX_ORDER.indexOf(value);
}

function isSubset(value: unknown, full: unknown): boolean {
  return Array.isArray(value) && Array.isArray(full) && value.every((item) => full.includes(item));
}

export type AgentSettings = z.output<typeof agentSettings>;
