import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ThreadInfo } from "../../../src/agent/ports/thread-host.ts";
import { createFakeFlow, noSessions } from "../support/fake-flow.ts";
import { createTestProject } from "../support/project.ts";

const info = (threadId: string, updatedAt: string, more: Partial<ThreadInfo> = {}): ThreadInfo => ({
  threadId,
  createdAt: updatedAt,
  updatedAt,
  messageCount: 2,
  isRunning: false,
  queued: 0,
  ...more,
});

const threads = [
  info("thread-1", "2026-01-03T00:00:00.000Z"),
  info("old-one", "2026-01-01T10:20:00.000Z", { title: "Fix it" }),
  info("old-two", "2026-01-02T00:00:00.000Z", { pendingPrompt: "y?" }),
];

describe("commands of the thread", () => {
  it("/clear empties the history and reads the prompt again", async () => {
    const flow = createFakeFlow({ project: await createTestProject() });
    await flow.type("/clear");
    expect(flow.said).toEqual([
      "clear",
      "reload",
      "success: The conversation was cleared. The earlier one is in /sessions.",
    ]);
  });

  it("/model shows and changes the model", async () => {
    const flow = createFakeFlow({ project: await createTestProject() });
    await flow.type("/model");
    await flow.type("/model other");
    expect(flow.said[0]).toMatch(/^info: The model is model-1\./);
    expect(flow.said[1]).toBe("model: other");
  });

  it("/handover needs a conversation", async () => {
    const flow = createFakeFlow({ project: await createTestProject() });
    await flow.type("/handover");
    await flow.type("/clear");
    await flow.type("/handover");
    expect(flow.said[0]).toBe("success: Continuing from the summary.");
    expect(flow.said.at(-1)).toBe("info: There is no conversation to hand over yet.");
  });

  it("/help lists built-in and custom commands, without terminal commands on a server", async () => {
    const project = await createTestProject();
    await project.write(".cairn/commands/ship.md", "---\ndescription: Ship it\n---\nx");
    const terminal = createFakeFlow({ project });
    const server = createFakeFlow({ project, surface: "server" });
    await terminal.type("/help");
    await server.type("/help");
    expect(terminal.said[0]).toMatch(/^\/tasks run \[id\]/m);
    expect(terminal.said[0]).toMatch(/^\/ship +Ship it$/m);
    expect(server.said[0]).not.toContain("/tasks run [id]");
  });
});

describe("/init", () => {
  it("reloads an existing AGENTS.md without a request", async () => {
    const project = await createTestProject();
    await project.write("AGENTS.md", "x");
    const flow = createFakeFlow({ project });
    await flow.type("/init");
    expect(flow.said).toEqual(["reload", "success: Instructions reloaded."]);
  });

  it("lets the agent write a missing AGENTS.md", async () => {
    const project = await createTestProject();
    const write = async () => {
      await project.write("AGENTS.md", "x");
      return "Wrote it.";
    };
    const flow = createFakeFlow({ project, turns: [write] });
    await flow.type("/init");
    expect(flow.said).toEqual(["reload", "reload", "success: AGENTS.md written and loaded."]);
  });

  it("reports that the agent wrote none", async () => {
    const flow = createFakeFlow({ project: await createTestProject(), turns: ["No."] });
    await flow.type("/init");
    expect(flow.said).toEqual(["reload", "error: The agent did not write AGENTS.md."]);
  });
});

describe("/skills, /create-skill and /create-subagent", () => {
  const SKILL = "---\nname: Release it!\ndescription: 'Releases: when asked'\n---\n\nDo it.";

  it("saves, loads and lists a drafted skill", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({ project, turns: [SKILL], replies: ["for releases", "y"] });
    await flow.type("/create-skill");
    expect(flow.said.slice(-2)).toEqual([
      "reload",
      "success: The skill was saved as .cairn/skills/release-it/SKILL.md.",
    ]);
    await flow.type("/skills");
    expect(flow.said.at(-1)).toBe(
      "print: release-it: Releases: when asked (.cairn/skills/release-it/SKILL.md)",
    );
  });

  it("an existing file is never replaced", async () => {
    const project = await createTestProject();
    await project.write(".cairn/subagents/release-it.md", "mine");
    const flow = createFakeFlow({ project, turns: [SKILL], replies: ["y"] });
    await flow.type("/create-subagent for releases");
    const read = (name: string) =>
      readFile(join(project.projectRoot, ".cairn/subagents", name), "utf8");
    expect(await read("release-it.md")).toBe("mine");
    expect(await read("release-it-2.md")).toBe(
      '---\nname: release-it-2\ndescription: "Releases: when asked"\n---\n\nDo it.\n',
    );
  });

  it("rejects a name that leaves the folder", async () => {
    const project = await createTestProject();
    const evil = "---\nname: ../../evil\ndescription: d\n---\nx";
    const flow = createFakeFlow({ project, turns: [evil], replies: ["y"] });
    await flow.type("/create-skill x");
    expect(flow.said.at(-1)).toBe("success: The skill was saved as .cairn/skills/evil/SKILL.md.");
  });

  it("a draft without frontmatter is an error and saves nothing", async () => {
    const flow = createFakeFlow({ project: await createTestProject(), turns: ["Do it."] });
    await flow.type("/create-skill x");
    expect(flow.said[0]).toMatch(/^error: The draft of the skill is invalid/);
  });
});

describe("/sessions and /resume", () => {
  const withSessions = async (resumed?: string[], surface: "terminal" | "server" = "terminal") =>
    createFakeFlow({
      project: await createTestProject(),
      surface,
      sessions: {
        ...noSessions,
        list: () => threads,
        ...(resumed !== undefined && { resume: async (id: string) => void resumed.push(id) }),
      },
    });

  it("lists threads, the latest first", async () => {
    const flow = await withSessions();
    await flow.type("/sessions");
    expect(flow.said[0]?.split("\n").map((line) => line.trim())).toEqual([
      "print: thread-1  2026-01-03 00:00  2 messages   [this one]",
      "old-two  2026-01-02 00:00  2 messages   [waits for a reply]",
      "old-one  2026-01-01 10:20  2 messages  Fix it",
    ]);
  });

  it("continues the latest other thread, or one by id prefix", async () => {
    const resumed: string[] = [];
    const flow = await withSessions(resumed);
    await flow.type("/resume");
    await flow.type("/resume old-o");
    expect(resumed).toEqual(["old-two", "old-one"]);
    await flow.type("/resume old");
    await flow.type("/resume zzz");
    expect(resumed).toHaveLength(2);
    expect(flow.said[0]).toBe('error: Several threads start with "old": enter more of the id.');
    expect(flow.said[1]).toMatch(/^error: No thread "zzz"\./);
  });

  it("explains the protocol on a server", async () => {
    const flow = await withSessions(undefined, "server");
    await flow.type("/resume old-one");
    expect(flow.said[0]).toContain("thread.subscribe");
  });
});
