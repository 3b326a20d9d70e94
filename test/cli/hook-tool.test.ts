import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const FORMS = {
  "claude-code": {
    read: (path: string) => ({ tool_name: "Read", tool_input: { file_path: path } }),
    edit: (path: string, text = "b") => ({
      tool_name: "Edit",
      tool_input: { file_path: path, old_string: "a", new_string: text },
    }),
    run: (command: string) => ({ tool_name: "Bash", tool_input: { command } }),
    shown: (printed: Printed) => printed.hookSpecificOutput?.additionalContext,
    name: "PreToolUse",
  },
  codex: {
    edit: (path: string, text = "b") => ({
      tool_name: "apply_patch",
      tool_input: {
        command: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+${text}\n*** End Patch`,
      },
    }),
    run: (command: string) => ({ tool_name: "Bash", tool_input: { command } }),
    shown: (printed: Printed) => printed.hookSpecificOutput?.additionalContext,
    name: "PreToolUse",
  },
  gemini: {
    read: (path: string) => ({ tool_name: "read_file", tool_input: { absolute_path: path } }),
    edit: (path: string, text = "b") => ({
      tool_name: "replace",
      tool_input: { file_path: path, old_string: "a", new_string: text },
    }),
    run: (command: string) => ({ tool_name: "run_shell_command", tool_input: { command } }),
    shown: (printed: Printed) => printed.hookSpecificOutput?.additionalContext,
    name: "AfterTool",
  },
  qwen: {
    read: (path: string) => ({ tool_name: "read_file", tool_input: { file_path: path } }),
    edit: (path: string, text = "b") => ({
      tool_name: "edit",
      tool_input: { file_path: path, old_string: "a", new_string: text },
    }),
    run: (command: string) => ({ tool_name: "run_shell_command", tool_input: { command } }),
    shown: (printed: Printed) => printed.hookSpecificOutput?.additionalContext,
    name: "PostToolUse",
  },
  copilot: {
    read: (path: string) => ({ toolName: "view", toolArgs: JSON.stringify({ path }) }),
    edit: (path: string, text = "b") => ({
      toolName: "edit",
      toolArgs: { path, old_str: "a", new_str: text },
    }),
    run: (command: string) => ({ toolName: "bash", toolArgs: { command } }),
    shown: (printed: Printed) => printed.additionalContext,
  },
  cursor: {
    read: (path: string) => ({ tool_name: "Read", tool_input: { file_path: path } }),
    edit: (path: string, text = "b") => ({
      tool_name: "Write",
      tool_input: { file_path: path, content: text },
    }),
    run: (command: string) => ({ tool_name: "Shell", tool_input: { command } }),
    shown: (printed: Printed) => printed.additional_context,
  },
  opencode: {
    read: (path: string) => ({ tool_name: "read", tool_input: { filePath: path } }),
    edit: (path: string, text = "b") => ({
      tool_name: "edit",
      tool_input: { filePath: path, oldString: "a", newString: text },
    }),
    run: (command: string) => ({ tool_name: "bash", tool_input: { command } }),
    shown: (printed: Printed) => printed.text,
  },
} as const;

interface Printed {
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly additionalContext: string;
  };
  readonly additionalContext?: string;
  readonly additional_context?: string;
  readonly text?: string;
}

type Name = keyof typeof FORMS;
const NAMES = Object.keys(FORMS) as Name[];

async function createFilledMemory(): Promise<CliFolders> {
  const folders = createCliFolders();
  const ops = [
    {
      op: "remember",
      content: "Charges carry an idempotency key.",
      episode_type: "decision",
      entities: "file:src/pay.ts",
    },
    { op: "remember", content: "Always use pnpm, never npm.", episode_type: "preference" },
    { op: "remember", content: "Queues are pg-boss, never BullMQ.", episode_type: "decision" },
  ];
  const applied = await runInProcess(folders, ["apply", "-"], { stdin: JSON.stringify(ops) });
  expect(applied).toMatchObject({ code: 0 });
  return folders;
}

/** Runs the hook, which must never fail, and returns what the model sees. */
async function shownAt(cliFolders: CliFolders, client: Name, called: object, session = "s1") {
  const stdin = JSON.stringify({ session_id: session, cwd: cliFolders.project, ...called });
  const args = ["hook", client, "tool", "--timeout", "60000"];
  const result = await runInProcess(cliFolders, args, { stdin });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  if (result.stdout === "") return "";
  const printed: Printed = result.stdout.startsWith("{")
    ? JSON.parse(result.stdout)
    : { text: result.stdout };
  const form = FORMS[client];
  if ("name" in form) expect(printed.hookSpecificOutput?.hookEventName).toBe(form.name);
  return form.shown(printed) ?? "";
}

it.each(NAMES)("%s gets notes about an edited file and a tool, each once", async (client) => {
  const folders = await createFilledMemory();
  const { edit, run } = FORMS[client];
  const pay = join(folders.project, "src", "pay.ts");
  expect(await shownAt(folders, client, edit(pay))).toContain("idempotency key");
  expect(await shownAt(folders, client, edit(pay))).toBe("");
  expect(await shownAt(folders, client, run("npm install left-pad"))).toContain("Always use pnpm");
  expect(await shownAt(folders, client, run("npm install left-pad"))).toBe("");
  expect(await shownAt(folders, client, edit(pay), "s2")).toContain("idempotency key");
});

it.each(NAMES)("%s gets rules that reject what it writes or runs", async (client) => {
  const place = await createFilledMemory();
  const { edit, run } = FORMS[client];
  const jobs = join(place.project, "src", "jobs.ts");
  const text = 'import { Queue } from "bullmq";';
  expect(await shownAt(place, client, edit(jobs, text))).toContain("never BullMQ");
  expect(await shownAt(place, client, edit(jobs, text))).toBe("");
  expect(await shownAt(place, client, run("pnpm add bullmq"), "s2")).toContain("never BullMQ");
});

it.each(NAMES.filter((name) => "read" in FORMS[name]))(
  "%s gets notes about an opened file only",
  async (client) => {
    const folders = await createFilledMemory();
    const form = FORMS[client];
    if (!("read" in form)) throw new Error(`${client} has no tool that reads`);
    expect(await shownAt(folders, client, form.read(join(folders.project, "README.md")))).toBe("");
    expect(await shownAt(folders, client, form.run("pnpm test && git status"))).toBe("");
    const pay = join(folders.project, "src", "pay.ts");
    expect(await shownAt(folders, client, form.read(pay))).toContain("idempotency key");
  },
);

it("prints nothing for irrelevant and unknown calls", async () => {
  const folders = await createFilledMemory();
  for (const called of [
    {},
    { tool_name: "Read" },
    { tool_name: "Read", tool_input: { file_path: 7 } },
    { tool_name: "Bash", tool_input: "{" },
    { tool_name: "WebFetch", tool_input: { url: "https://example.org/src/pay.ts" } },
    { tool_name: "mcp__cairn__remember", tool_input: { content: "npm install" } },
  ]) {
    expect(await shownAt(folders, "claude-code", called)).toBe("");
  }
});

it("finds notes about names defined in an opened file", async () => {
  const folders = createCliFolders();
  const transcript = join(folders.home, "session.jsonl");
  const replies = [
    ["user", "make_slug turns R&D into rd, which the shop links to nothing."],
    [
      "assistant",
      "Decided: make_slug writes & as and, $ as usd and % as pct, before anything else is replaced in it.",
    ],
  ];
  writeFileSync(
    transcript,
    replies
      .map(([role, content]) => JSON.stringify({ type: role, message: { role, content } }))
      .join("\n"),
  );
  const ended = { session_id: "s0", cwd: folders.project, transcript_path: transcript };
  await runInProcess(folders, ["hook", "claude-code", "session-end"], {
    stdin: JSON.stringify(ended),
  });
  const path = join(folders.project, "text.py");
  const { read } = FORMS["claude-code"];
  writeFileSync(path, "def other_name(text):\n    return text\n");
  expect(await shownAt(folders, "claude-code", read(path))).toBe("");
  writeFileSync(path, "def make_slug(text):\n    return text\n");
  expect(await shownAt(folders, "claude-code", read(path))).toContain("% as pct");
});
