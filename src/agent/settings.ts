import { z } from "zod";

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

/** The agent's part of the config file; names are the file's. */
export const agentSettings = z.strictObject({
  maxSteps: z.number().int().min(1).default(50).describe("Model requests in one run."),
  parallelToolCalls: z.number().int().min(1).max(32).default(1),
  editMode: z.enum(["hashline", "searchReplace"]).default("hashline"),
  tools: z.array(z.string()).optional().describe("The only tools offered; [] means none."),
  memory: z.enum(["off", "read", "on"]).default("on"),
  sandbox: z.boolean().default(true).describe("Run shell commands in the system's sandbox."),
  allowOutsideProject: z.boolean().default(false).describe("Let tools leave the project folder."),
  hooks: z
    .strictObject({
      stop: z.array(z.strictObject({ shell: z.string().min(1) })).default([]),
      taskDone: gate.default([]),
      planDone: gate.default([]),
    })
    .default({ stop: [], taskDone: [], planDone: [] }),
  hookTimeoutMs: z.number().int().min(1).default(600_000),
  handoverThreshold: z.number().min(0.1).max(1).default(0.8).describe("Share of the window."),
  subagent: z
    .strictObject({
      allowNestedSubagents: z.boolean().default(false),
      maxDepth: z.number().int().min(1).max(8).default(2),
    })
    .default({ allowNestedSubagents: false, maxDepth: 2 }),
  planMode: z.enum(["tasks", "goals"]).default("tasks"),
  taskImplementationMaxAttempts: z.number().int().min(1).default(3),
  maxThreads: z.number().int().min(1).default(256),
  maxQueuedMessages: z.number().int().min(1).default(100),
});

export type AgentSettings = z.output<typeof agentSettings>;
