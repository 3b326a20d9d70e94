import { beforeEach, describe, expect, it } from "vitest";
import { addPlan } from "../../../src/agent/tasks/plan-store.ts";
import { readTasks } from "../../../src/agent/tasks/task-store.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { createFakeFlow } from "../support/fake-flow.ts";
import { createTestProject, type TestProject } from "../support/project.ts";

const LIST = "- [ ] A: first\n- [ ] B: second";
const PROMPT = "prompt: [y]es to save, [n]o to revise, [a]bandon";

let project: TestProject;

beforeEach(async () => {
  project = await createTestProject();
  const draft = { name: "Cache", description: "Faster", approach: "Read once." };
  await addPlan(project.projectRoot, draft, systemClock);
});

describe("/plans split", () => {
  it("saves the tasks, then empties the thread and restores its prompt", async () => {
    const flow = createFakeFlow({ project, turns: [LIST], replies: ["y"] });
    await flow.type("/plans split 1");
    expect(flow.said).toEqual([
      "clear",
      "info: 1. A\n   first\n\n2. B\n   second",
      PROMPT,
      "clear",
      "reload",
      expect.stringMatching(/^success: Tasks 1-1 to 1-2 of plan 1 saved/),
    ]);
    expect(flow.turns[0]?.text).toContain("Read once.");
    expect(flow.turns[0]?.options.tools).not.toContain("shell");
    expect(flow.history).toEqual([]);
    const tasks = await readTasks(project.projectRoot);
    expect(tasks.map((task) => [task.id, task.name])).toEqual([
      ["1-1", "A"],
      ["1-2", "B"],
    ]);
  });

  it("feedback redrafts, and a second split adds to the first", async () => {
    const flow = createFakeFlow({
      project,
      turns: [LIST, "1. C", "- D"],
      replies: ["one is enough", "y", "y"],
    });
    await flow.type("/plans split 1");
    await flow.type("/plans split 1");
    expect(flow.turns[1]).toMatchObject({ text: "one is enough" });
    expect(flow.turns[0]?.text).not.toContain("tasks already");
    expect(flow.turns[2]?.text).toContain("tasks already");
    expect(flow.turns[2]?.text).toContain("1-1  C");
    expect(flow.said).toContain("info: Plan 1 has 1 tasks already; new ones are added to them.");
    expect((await readTasks(project.projectRoot)).map((task) => task.id)).toEqual(["1-1", "1-2"]);
  });

  it.each([
    ["it is abandoned", { turns: [LIST], replies: ["a"] }, /^info: Abandoned/],
    [
      "the response contains no list",
      { turns: ["Sorry."] },
      /^error: The response contains no list/,
    ],
    ["the model fails", { turns: [{ outcome: "failed" as const }] }, undefined],
  ])("the thread is empty and restored also when %s", async (_when, script, pattern) => {
    const flow = createFakeFlow({ project, ...script });
    await flow.type("/plans split 1");
    expect(flow.said.filter((line) => /^(clear|reload)$/.test(line))).toEqual([
      "clear",
      "clear",
      "reload",
    ]);
    if (pattern !== undefined) expect(flow.said).toContainEqual(expect.stringMatching(pattern));
    expect(flow.history).toEqual([]);
    expect(await readTasks(project.projectRoot)).toEqual([]);
  });

  it("an unknown plan is an error that leaves the conversation", async () => {
    const flow = createFakeFlow({ project });
    await flow.type("/plans split 9");
    await flow.type("/plans split");
    await flow.type("/plans microsplit nine");
    expect(flow.said).toEqual([
      "error: There is no plan 9. There are: 1.",
      "error: Give the number of the plan: /plans split <id>",
      "error: There is no plan nine. There are: 1.",
    ]);
    expect(flow.history).toEqual(["an earlier message"]);
  });

  it("a cancel at the prompt is passed on, with the thread restored", async () => {
    const cancel = new AbortController();
    const flow = createFakeFlow({ project, turns: [LIST], signal: cancel.signal });
    const ask = async () => {
      cancel.abort(new Error("cancelled"));
      throw cancel.signal.reason;
    };
    Object.assign(flow.context.dialogue, { ask });
    await expect(flow.type("/plans split 1")).rejects.toThrow("cancelled");
    expect(flow.said.slice(-2)).toEqual(["clear", "reload"]);
  });
});

describe("/plans microsplit", () => {
  it("accepts JSON with code context", async () => {
    const turns = ['```json\n[{"name": "A", "description": "d", "codeContext": "fn()"}]\n```'];
    const flow = createFakeFlow({ project, turns, replies: ["y"] });
    await flow.type("/plans microsplit 1");
    expect(await readTasks(project.projectRoot)).toMatchObject([
      { id: "1-1", name: "A", codeContext: "fn()" },
    ]);
    expect(flow.turns[0]?.options.systemAddition).toContain("codeContext");
  });
});

describe("/plans", () => {
  it("lists plans with their progress, and shows one", async () => {
    const flow = createFakeFlow({ project, turns: [LIST], replies: ["y"] });
    await flow.type("/plans");
    await flow.type("/plans split 1");
    await flow.type("/plans 1");
    await flow.type("/plans spilt 1");
    expect(flow.said[0]).toBe("print: 1  Cache (no tasks yet): Faster");
    expect(flow.said.at(-2)).toBe(
      "print: 1  Cache\nFaster\n\nRead once.\n\n[ ] 1-1  A\n[ ] 1-2  B",
    );
    expect(flow.said.at(-1)).toBe('error: There is no command /plans spilt. Did you mean "split"?');
  });
});
