import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { clients, HOOK_EVENTS } from "../../src/clients/index.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const EXAMPLE = resolve("examples/first-memory.changeset");

interface Given {
  readonly client?: string;
  readonly event: string;
  readonly input?: object;
  readonly flags?: readonly string[];
}

/** Runs the hook, which must never fail, and returns its output. */
async function hook(
  folders: CliFolders,
  { client = "claude-code", event, input = {}, flags = [] }: Given,
) {
  const stdin = JSON.stringify({ session_id: "s1", cwd: folders.project, ...input });
  const args = ["hook", client, event, "--timeout", "60000", ...flags];
  const result = await runInProcess(folders, args, { stdin });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return result.stdout;
}

async function context(cliFolders: CliFolders, given: Given): Promise<string> {
  const printed = await hook(cliFolders, given);
  return printed === "" ? "" : (JSON.parse(printed).hookSpecificOutput?.additionalContext ?? "");
}

async function createFilledMemory(): Promise<CliFolders> {
  const folders = createCliFolders();
  expect(await runInProcess(folders, ["apply", EXAMPLE])).toMatchObject({ code: 0 });
  return folders;
}

async function episodes(cliFolders: CliFolders) {
  const { stdout } = await runInProcess(cliFolders, ["list", "episodes", "--json"]);
  return JSON.parse(stdout).episodes as {
    content: string;
    labels: { key: string; value: string }[];
  }[];
}

function transcript(folders: CliFolders, ...texts: string[]) {
  const path = join(folders.home, "session.jsonl");
  const records = texts.map((text) =>
    JSON.stringify({ type: "user", message: { role: "user", content: text } }),
  );
  writeFileSync(path, records.join("\n"));
  return { transcript_path: path };
}

describe("a session's start", () => {
  it("contains preferences, decisions and conflicts as data", async () => {
    const text = await context(await createFilledMemory(), { event: "session-start" });
    expect(text).toContain("Ada wants small commits");
    expect(text).toContain("idempotency key");
    expect(text).toContain("Open conflicts");
    expect(text).toContain("not instructions");
  });

  it("contains the user's own preferences in every project", async () => {
    const folders = await createFilledMemory();
    const decision = ["remember", "We ship on Tuesdays", "-t", "decision", "--db", "shop"];
    await runInProcess(folders, decision);
    const text = await context(folders, { event: "session-start", flags: ["--db", "shop"] });
    expect(text).toContain("everywhere:\n- “Ada wants small commits");
    expect(text).toContain("We ship on Tuesdays");
    expect(text).not.toContain("idempotency key");
  });

  it.each([
    ["English", "The build of module number seven is slow because of its many generated files. "],
    ["Chinese", "第七模块的构建很慢，因为它生成了许多文件。"],
  ])("stays below 400 tokens, in %s too", async (_language, sentence) => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const folders = createCliFolders();
    const ops = Array.from({ length: 40 }, (_, index) => ({
      op: "remember",
      episode_type: ["decision", "preference", "outcome"][index % 3],
      content: `${index}: ${sentence.repeat(4)}`,
    }));
    await runInProcess(folders, ["apply", "-"], { stdin: JSON.stringify(ops) });
    const text = await context(folders, { event: "session-start" });
    expect(countTokens(text)).toBeGreaterThan(150);
    expect(countTokens(text)).toBeLessThanOrEqual(400);
  });

  it("prints nothing for an empty memory and creates no database", async () => {
    const folders = createCliFolders();
    expect(await hook(folders, { event: "session-start" })).toBe("");
    const listed = await runInProcess(folders, ["list", "databases", "--json"]);
    expect(JSON.parse(listed.stdout).databases).toEqual([]);
  });
});

it("shows the session start with the first prompt if the client drops it", async () => {
  const folders = await createFilledMemory();
  const ask = (prompt: string) =>
    context(folders, { client: "qwen", event: "prompt", input: { prompt } });
  expect(await ask("Paint the garden fence in a cheerful green.")).toContain("Open conflicts");
  expect(await ask("Paint the garden door in a cheerful red.")).toBe("");
});

describe("a prompt", () => {
  const input = { prompt: "Why were customers charged twice after a timeout of the gateway?" };

  it("gets relevant memory once per session within 400 tokens", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const folders = await createFilledMemory();
    const first = await context(folders, { event: "prompt", input });
    expect(first).toContain("charged 14 customers twice");
    expect(countTokens(first)).toBeLessThanOrEqual(400);
    const again = await context(folders, { event: "prompt", input });
    expect(again).not.toContain("charged 14 customers twice");
    const other = await context(folders, {
      event: "prompt",
      input: { ...input, session_id: "s2" },
    });
    expect(other).toContain("charged 14 customers twice");
  });

  it.each(["ok", "/compact", "yes, go on", "Paint the garden fence in a cheerful green."])(
    "gets nothing without relevant memory: %s",
    async (prompt) => {
      expect(
        await context(await createFilledMemory(), { event: "prompt", input: { prompt } }),
      ).toBe("");
    },
  );

  it("gets nothing already shown at session start", async () => {
    const folders = await createFilledMemory();
    await hook(folders, { event: "session-start" });
    const text = await context(folders, {
      event: "prompt",
      input: { prompt: "Does Ada want small commits or force pushes?" },
    });
    expect(text).not.toContain("Ada wants small commits");
  });
});

describe("a session's end", () => {
  it("stores statements as episodes of one change, shown in the next session", async () => {
    const folders = createCliFolders();
    const input = transcript(folders, "Always use pnpm, never npm.", "We decided to keep Redis.");
    expect(await hook(folders, { event: "session-end", input })).toBe("");
    const kept = await episodes(folders);
    expect(kept.map(({ content }) => content).sort()).toEqual([
      "Always use pnpm, never npm.",
      "We decided to keep Redis.",
    ]);
    expect(kept[0]?.labels).toEqual([{ key: "captured", value: "claude-code" }]);
    const next = await context(folders, { event: "session-start", input: { session_id: "s2" } });
    expect(next).toContain("Always use pnpm, never npm.");
  });

  it("stores nothing twice across session ends, sessions and clients", async () => {
    const folders = createCliFolders();
    const input = transcript(folders, "Always use pnpm, never npm.");
    await hook(folders, { event: "compact", input });
    await hook(folders, { event: "session-end", input });
    await hook(folders, { event: "session-end", input: { ...input, session_id: "s2" } });
    await hook(folders, { client: "gemini", event: "stop", input });
    expect(await episodes(folders)).toHaveLength(1);
  });

  it.each([
    [
      "with the ids of the messages",
      (text: string) => ({ uuid: `00000000-0000-4000-8000-${text}` }),
    ],
    ["without ids", () => ({})],
  ])("learns nothing from records that a fork copies %s", async (_how, idOf) => {
    const folders = createCliFolders();
    const record = (role: string, content: string) =>
      JSON.stringify({ type: role, ...idOf(content), message: { role, content } });
    const first = [
      record("user", "From now on always use Kafka for events."),
      record("assistant", "Kafka it is, for every event that a service publishes."),
    ];
    const second = [
      record("user", "Changed our mind: from now on always use NATS instead of Kafka for events."),
      record("assistant", "NATS it is."),
    ];
    const stop = async (session_id: string, records: readonly string[]) => {
      const path = join(folders.home, `${session_id}.jsonl`);
      writeFileSync(path, records.map((one) => `${one}\n`).join(""));
      await hook(folders, { event: "stop", input: { session_id, transcript_path: path } });
    };
    await stop("s1", first);
    await stop("s1", [...first, ...second]);
    const before = await episodes(folders);
    expect(before).toHaveLength(2);
    await stop("s2", [...first, record("user", "From now on always write the tests first.")]);
    expect((await episodes(folders)).map(({ content }) => content)).toEqual([
      "From now on always write the tests first.",
      ...before.map(({ content }) => content),
    ]);
  });

  it("finds the transcript of a session that moved to a sibling worktree", async () => {
    const folders = createCliFolders();
    const projects = join(folders.home, ".claude", "projects");
    mkdirSync(join(projects, "-home-shop"), { recursive: true });
    writeFileSync(
      join(projects, "-home-shop", "s7.jsonl"),
      JSON.stringify({
        type: "user",
        message: { role: "user", content: "Always use pnpm, never npm." },
      }),
    );
    const input = {
      session_id: "s7",
      transcript_path: join(projects, "-home-shop--claude-worktrees-fix", "s7.jsonl"),
    };
    await hook(folders, { client: "claude-code", event: "stop", input });
    const { stdout } = await runInProcess(folders, ["list", "episodes", "--json"]);
    expect(stdout).toContain("Always use pnpm, never npm.");
  });

  it("updates the list of changed files instead of repeating it", async () => {
    const folders = createCliFolders();
    const path = join(folders.home, "session.jsonl");
    const edit = (file: string) =>
      `${JSON.stringify({ type: "assistant", message: { role: "assistant", content: [{ type: "tool_use", id: file, name: "Write", input: { file_path: join(folders.project, file) } }] } })}\n`;
    writeFileSync(path, edit("a.ts"));
    await hook(folders, { client: "codex", event: "stop", input: { transcript_path: path } });
    writeFileSync(path, edit("a.ts") + edit("b.ts"));
    await hook(folders, { client: "codex", event: "stop", input: { transcript_path: path } });
    expect((await episodes(folders)).map(({ content }) => content)).toEqual([
      "Files changed: a.ts, b.ts.",
    ]);
  });
});

describe("one line for the user", () => {
  const noticeOf = (printed: string) => (printed === "" ? "" : JSON.parse(printed).systemMessage);

  it("counts items at session start and items stored since the last prompt", async () => {
    const folders = await createFilledMemory();
    const begun = await hook(folders, { event: "session-start" });
    expect(noticeOf(begun)).toMatch(/^cairn: [1-9]\d* memories shown$/);
    const input = { prompt: "ok", ...transcript(folders, "From now on always use pnpm.") };
    expect(await hook(folders, { event: "prompt", input })).toBe("");
    expect(await hook(folders, { event: "stop", input })).toBe("");
    expect(noticeOf(await hook(folders, { event: "prompt", input }))).toBe("cairn: 1 memory added");
    expect(await hook(folders, { event: "prompt", input })).toBe("");
  });

  it("is omitted if the client does not show it or hooks are off", async () => {
    const folders = await createFilledMemory();
    const begun = await hook(folders, { client: "copilot", event: "session-start" });
    expect(JSON.parse(begun)).not.toHaveProperty("systemMessage");
    mkdirSync(join(folders.project, ".cairn"));
    writeFileSync(join(folders.project, ".cairn/config.json"), '{"memory":"off"}');
    expect(await hook(folders, { event: "session-start", input: { session_id: "s2" } })).toBe("");
  });
});

it("omits items labelled to be shown on request only", async () => {
  const folders = await createFilledMemory();
  const prompt = "Why were customers charged twice after a timeout?";
  const told = async (session_id: string) => {
    const begun = await context(folders, { event: "session-start", input: { session_id } });
    return [
      begun,
      await context(folders, { event: "prompt", input: { prompt, session_id } }),
    ].join();
  };
  const ids = [...new Set((await told("before")).match(/ep:\d+/g))];
  expect(ids.length).toBeGreaterThan(1);
  for (const id of ids) {
    const done = await runInProcess(folders, ["label", id, "told=never"]);
    expect(done).toMatchObject({ code: 0 });
  }
  const after = await told("after");
  for (const id of ids) expect(after).not.toContain(`(${id},`);
});

describe("a hook never fails the client", () => {
  it.each([
    [["hook"], "{}"],
    [["hook", "nobody", "prompt"], "{}"],
    [["hook", "codex", "midnight"], "{}"],
    [["hook", "codex", "prompt", "--unknown", "and", "more"], "{}"],
    [["hook", "codex", "prompt"], "no json at all"],
    [["hook", "codex", "prompt"], "[1, 2]"],
    [["hook", "codex", "stop"], '{"transcript_path": "/no/such/file"}'],
    [["hook", "codex", "session-start", "--db", "no/such"], "{}"],
    [["hook", "zed", "session-start"], '{"cwd": 5, "session_id": {}}'],
  ])("%j given %j", async (args, stdin) => {
    const result = await runInProcess(createCliFolders(), args, { stdin });
    expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("reports errors with --debug", async () => {
    const result = await runInProcess(createCliFolders(), ["hook", "codex", "prompt", "--debug"], {
      stdin: "{",
    });
    expect(result.code).toBe(0);
    expect(result.stderr).toContain("JSON");
  });

  it("prints nothing if the project's config is invalid", async () => {
    const folders = await createFilledMemory();
    mkdirSync(join(folders.project, ".cairn"));
    writeFileSync(join(folders.project, ".cairn", "config.json"), "{");
    expect(await hook(folders, { event: "session-start" })).toBe("");
  });
});

/** A client with JSON hooks and one with program hooks, for the default run. */
const BASIC = new Set(["claude-code", "opencode"]);

for (const { name, hooks } of clients) {
  if (hooks === undefined) continue;
  const tags = BASIC.has(name) ? [] : ["long"];
  it(`${name} is answered in its own form`, { tags }, async () => {
    const folders = await createFilledMemory();
    const events = HOOK_EVENTS.filter((known) => "script" in hooks || known in hooks.events);
    for (const event of events) {
      const input = {
        prompt: "Why were customers charged twice after a timeout?",
        session_id: event,
      };
      const printed = await hook(folders, { client: name, event, input });
      const expected = hooks.answer(event, "x");
      if (expected === undefined || !["session-start", "prompt"].includes(event)) {
        expect(printed).toBe("");
      } else if (expected === "x") {
        expect(printed).toContain("not instructions");
      } else {
        const { systemMessage: _, ...shown } = JSON.parse(printed);
        expect(Object.keys(shown)).toEqual(Object.keys(JSON.parse(expected)));
      }
    }
  });
}
