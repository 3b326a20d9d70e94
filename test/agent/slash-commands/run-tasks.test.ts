import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addPlan } from "../../../src/agent/tasks/plan-store.ts";
import { addTasks, readTasks, setTaskStatus } from "../../../src/agent/tasks/task-store.ts";
import { systemClock as clock } from "../../../src/shared/clock.ts";
import { createFakeFlow } from "../support/fake-flow.ts";
import { createTestProject, type TestProject } from "../support/project.ts";

async function projectWith(planId: number, names: readonly string[]): Promise<TestProject> {
  const project = await createTestProject();
  const plan = { name: "Cache", description: "Faster", approach: "Read once." };
  if (planId > 0) await addPlan(project.projectRoot, plan, clock);
  const drafts = names.map((name) => ({
    name,
    description: `Do ${name}.`,
    relatedFiles: [],
    acceptanceCriteria: [`${name} works`],
  }));
  await addTasks({ projectRoot: project.projectRoot, planId, drafts, clock });
  return project;
}

const statuses = async ({ projectRoot }: TestProject) =>
  Object.fromEntries((await readTasks(projectRoot)).map((task) => [task.id, task.status]));

const gate = (shell: string, maxAttempts = 1) => [{ maxAttempts, steps: [{ shell }] }];

describe("/tasks run", () => {
  it("starts with tasks in progress, each with a separate history that lists the others", async () => {
    const project = await projectWith(0, ["A", "B", "C"]);
    await setTaskStatus(project.projectRoot, { id: "0-2", status: "in-progress", clock });
    await setTaskStatus(project.projectRoot, { id: "0-3", status: "done", clock });
    const flow = createFakeFlow({ project, turns: ["did B", "did A"] });
    await flow.type("/tasks run");
    expect(flow.turns.map((turn) => turn.text.split("\n")[0])).toEqual([
      "Task 0-2: B",
      "Task 0-1: A",
    ]);
    expect(flow.turns.map((turn) => turn.earlier)).toEqual([[], []]);
    expect(flow.turns[1]?.options.systemAddition).toContain("[x] 0-2  B\n[x] 0-3  C");
    expect(flow.turns[0]?.options.tools).toBe(undefined);
    expect(await statuses(project)).toEqual({ "0-1": "done", "0-2": "done", "0-3": "done" });
    expect(flow.history).toEqual(["an earlier message"]);
    expect(flow.progress.map((items) => items.map((item) => item.state))).toEqual([
      ["running", "waiting"],
      ["done", "waiting"],
      ["done", "running"],
      ["done", "done"],
    ]);
  });

  it("does one task by its id", async () => {
    const project = await projectWith(0, ["A", "B"]);
    const flow = createFakeFlow({ project, turns: ["did B"] });
    await flow.type("/tasks run 0-2");
    await flow.type("/tasks run 0-2");
    await flow.type("/tasks run 0-9");
    expect(await statuses(project)).toEqual({ "0-1": "pending", "0-2": "done" });
    expect(flow.said).toEqual([
      "success: Task 0-2 is done: B",
      "info: Task 0-2 is done already.",
      "error: There is no task 0-9. /tasks lists them.",
    ]);
  });

  it("is refused over the server, without a run", async () => {
    const project = await projectWith(1, ["A"]);
    const flow = createFakeFlow({ project, surface: "server" });
    await flow.type("/tasks run");
    await flow.type("/plans run 1");
    expect(flow.said).toEqual([
      "error: /tasks run is terminal-only: run it in the terminal.",
      "error: /plans run is terminal-only: run it in the terminal.",
    ]);
    expect(flow.turns).toEqual([]);
  });

  it("a turn that fails stops it, and the task is the first one next time", async () => {
    const project = await projectWith(0, ["A", "B"]);
    const flow = createFakeFlow({ project, turns: ["did A", { outcome: "failed" }] });
    await flow.type("/tasks run");
    expect(await statuses(project)).toEqual({ "0-1": "done", "0-2": "in-progress" });
    expect(flow.said.at(-1)).toBe("info: Stopped at task 0-2, which stays in progress.");
    expect(flow.progress.at(-1)?.map((item) => item.state)).toEqual(["done", "failed"]);
  });

  it("reports that there are no tasks, and how to create some", async () => {
    const flow = createFakeFlow({ project: await createTestProject() });
    await flow.type("/tasks run");
    const planned = createFakeFlow({ project: await projectWith(1, ["A"]) });
    await planned.type("/tasks run");
    expect(flow.said[0]).toContain("/tasks add");
    expect(planned.said[0]).toContain("/plans run");
  });
});

describe("the taskDone hooks", () => {
  it("see the task, and a failure goes back to the model in the same history", async () => {
    const project = await projectWith(1, ["A"]);
    const check =
      'echo "$CAIRN_HOOK $CAIRN_PLAN_ID $CAIRN_TASK_ID $CAIRN_TASK_NAME" >> log; cat ok';
    const settings = { hooks: { taskDone: gate(check, 2) } };
    const repair = async () => {
      await writeFile(join(project.projectRoot, "ok"), "");
      return "repaired";
    };
    const flow = createFakeFlow({ project, settings, turns: ["did A", repair] });
    await flow.type("/plans run 1");
    expect(flow.turns[1]?.text).toContain('taskDone hook "echo');
    expect(flow.turns[1]?.text).toContain("No such file");
    expect(flow.turns[1]?.earlier).toHaveLength(2);
    expect(await statuses(project)).toEqual({ "1-1": "done" });
    const log = await readFile(join(project.projectRoot, "log"), "utf8");
    expect(log).toBe("taskDone 1 1-1 A\n".repeat(2));
  });

  it("after a repair all of them run again", async () => {
    const project = await projectWith(0, ["A"]);
    const hooks = {
      taskDone: [
        { maxAttempts: 1, steps: [{ shell: "echo first >> log" }] },
        { maxAttempts: 2, steps: [{ shell: "echo second >> log; [ $(wc -l < log) -gt 3 ]" }] },
      ],
    };
    const flow = createFakeFlow({ project, settings: { hooks }, turns: ["did A", "repaired"] });
    await flow.type("/tasks run");
    const log = await readFile(join(project.projectRoot, "log"), "utf8");
    expect(log.trim().split("\n")).toEqual(["first", "second", "first", "second"]);
    expect(await statuses(project)).toEqual({ "0-1": "done" });
  });

  it("stops with a reason after full cycles without progress", async () => {
    const project = await projectWith(0, ["A", "B"]);
    const settings = { hooks: { taskDone: gate("echo broken; exit 1") } };
    const flow = createFakeFlow({ project, settings, turns: ["one", "two", "three"] });
    await flow.type("/tasks run");
    expect(flow.turns.map((turn) => turn.earlier)).toEqual([[], [], []]);
    expect(flow.turns[1]?.text).toContain("An earlier attempt");
    expect(flow.turns[1]?.text).toContain("broken");
    expect(flow.said.at(-1)).toMatch(
      /^error: Task 0-1 \(A\) is not done after 3 attempts.*exit 1/s,
    );
    expect(await statuses(project)).toEqual({ "0-1": "in-progress", "0-2": "pending" });
  });
});

describe("/plans run", () => {
  it("adds the plan to the prompt and runs the planDone hooks at the end", async () => {
    const project = await projectWith(1, ["A", "B"]);
    const settings = { hooks: { planDone: gate('echo "$CAIRN_HOOK $CAIRN_PLAN_NAME" > log') } };
    const flow = createFakeFlow({ project, settings, turns: ["did A", "did B"] });
    await flow.type("/plans run 1");
    expect(flow.turns[0]?.options.systemAddition).toContain("Read once.");
    expect(await readFile(join(project.projectRoot, "log"), "utf8")).toBe("planDone Cache\n");
    expect(flow.said.at(-1)).toBe("success: Plan 1 is done: Cache");
  });

  it("a planDone hook that fails goes back to the model, then is an error", async () => {
    const project = await projectWith(1, ["A"]);
    const settings = { hooks: { planDone: gate("exit 7", 2) } };
    const flow = createFakeFlow({ project, settings, turns: ["did A", "repaired"] });
    await flow.type("/plans run 1");
    expect(flow.turns[1]).toMatchObject({ earlier: [] });
    expect(flow.turns[1]?.options.systemAddition).toContain("Read once.");
    expect(flow.said.at(-1)).toMatch(/^error: All tasks of plan 1 are done, but.*exit code 7/);
  });

  it("does not reach the planDone hooks while a task is open", async () => {
    const project = await projectWith(1, ["A"]);
    const settings = {
      taskImplementationMaxAttempts: 1,
      hooks: { taskDone: gate("false"), planDone: gate("touch reached") },
    };
    const flow = createFakeFlow({ project, settings, turns: ["did A"] });
    await flow.type("/plans run 1");
    await expect(access(join(project.projectRoot, "reached"))).rejects.toThrow();
  });

  it("explains how to create tasks for a plan without any", async () => {
    const flow = createFakeFlow({ project: await projectWith(1, []) });
    await flow.type("/plans run 1");
    expect(flow.said).toEqual(["error: Plan 1 has no tasks yet: /plans split 1 creates them."]);
  });
});

describe('plan mode "goals"', () => {
  const verdict = (met: boolean) =>
    JSON.stringify({ criteria: [{ criterion: "A works", met, evidence: "the test says so" }] });

  it("verifies in a separate history, and starts another cycle if requirements are unmet", async () => {
    const project = await projectWith(1, ["A"]);
    const turns = ["did A", verdict(false), "did A again", "It is fine.", verdict(true)];
    const flow = createFakeFlow({ project, settings: { planMode: "goals" }, turns });
    await flow.type("/plans run 1");
    expect(flow.turns.map((turn) => turn.earlier.length)).toEqual([0, 0, 0, 0, 2]);
    expect(flow.turns[1]?.options.tools).toContain("shell");
    expect(flow.turns[1]?.options.tools).not.toContain("edit");
    expect(flow.turns[2]?.text).toContain("- A works: the test says so");
    expect(await statuses(project)).toEqual({ "1-1": "done" });
  });

  it("does not count a verification that is unreadable twice as success", async () => {
    const project = await projectWith(0, ["A"]);
    const settings = { planMode: "goals", taskImplementationMaxAttempts: 1 };
    const flow = createFakeFlow({ project, settings, turns: ["did A", "fine", "fine!"] });
    await flow.type("/tasks run");
    expect(flow.said.at(-1)).toMatch(/^error: .*could not be verified/);
    expect(await statuses(project)).toEqual({ "0-1": "in-progress" });
  });
});
