import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { addPlan, findPlan, readPlans } from "../../../src/agent/tasks/plan-store.ts";
import {
  addTasks,
  readTasks,
  removeTask,
  setTaskStatus,
} from "../../../src/agent/tasks/task-store.ts";
import { systemClock as clock } from "../../../src/shared/clock.ts";
import { createTestProject } from "../support/project.ts";

const run = promisify(execFile);
const draft = (name: string) => ({
  name,
  description: "",
  relatedFiles: [],
  acceptanceCriteria: [],
});
const plan = { name: "Cache", description: "Faster", approach: "Do it." };

describe("plans", () => {
  it("are stored as an array with ids from 1", async () => {
    const { projectRoot } = await createTestProject();
    expect(await readPlans(projectRoot)).toEqual([]);
    expect(await readdir(projectRoot)).toEqual([]);
    await addPlan(projectRoot, plan, clock);
    await addPlan(projectRoot, { ...plan, name: "Other" }, clock);
    const stored = JSON.parse(await readFile(join(projectRoot, ".cairn/plans.json"), "utf8"));
    expect(stored).toMatchObject([
      { id: 1, ...plan },
      { id: 2, name: "Other" },
    ]);
    expect(Object.keys(stored[0])).toEqual(["id", "name", "description", "approach", "createdAt"]);
    expect(await readdir(join(projectRoot, ".cairn"))).toEqual(["plans.json"]);
  });

  it("never reuses the number of a plan with tasks", async () => {
    const { projectRoot } = await createTestProject();
    const { id } = await addPlan(projectRoot, plan, clock);
    await addTasks({ projectRoot, planId: id, drafts: [draft("A")], clock });
    await writeFile(join(projectRoot, ".cairn/plans.json"), "[]");
    expect((await addPlan(projectRoot, plan, clock)).id).toBe(2);
  });

  it("reports an unknown plan with the existing ones", async () => {
    const { projectRoot } = await createTestProject();
    await expect(findPlan(projectRoot, "1")).rejects.toThrow("/plan creates one");
    await addPlan(projectRoot, plan, clock);
    await expect(findPlan(projectRoot, "7")).rejects.toThrow("There is no plan 7. There are: 1.");
  });
});

describe("tasks", () => {
  it("counts loose tasks and those of plans separately", async () => {
    const { projectRoot } = await createTestProject();
    await addTasks({ projectRoot, planId: 0, drafts: [draft("A")], clock });
    await addTasks({ projectRoot, planId: 2, drafts: [draft("B"), draft("C")], clock });
    const added = await addTasks({ projectRoot, planId: 0, drafts: [draft("D")], clock });
    expect(added.map((task) => task.id)).toEqual(["0-2"]);
    expect((await readTasks(projectRoot)).map((task) => task.id)).toEqual([
      "0-1",
      "2-1",
      "2-2",
      "0-2",
    ]);
  });

  it("fields of other hands survive a change of status", async () => {
    const project = await createTestProject();
    await project.write(
      ".cairn/tasks.json",
      JSON.stringify([{ id: "0-1", name: "A", owner: "me", status: "in_progress" }]),
    );
    await setTaskStatus(project.projectRoot, { id: "0-1", status: "done", clock });
    expect(await readTasks(project.projectRoot)).toMatchObject([
      { id: "0-1", owner: "me", status: "done" },
    ]);
  });

  it("rejects removal of a missing task", async () => {
    const { projectRoot } = await createTestProject();
    await addTasks({ projectRoot, planId: 0, drafts: [draft("A")], clock });
    expect((await removeTask(projectRoot, "0-1")).name).toBe("A");
    await expect(removeTask(projectRoot, "0-1")).rejects.toThrow("There is no task 0-1");
  });

  it.each([
    ["broken JSON", '[{"id": "0-1"', /tasks\.json is broken/],
    ["no array", "{}", /is broken .*expected array/],
    ["a strange id", '[{"id": "first", "name": "A"}]', /a task id is <plan>-<number> at 0\.id/],
  ])("reports a file with %s and leaves it unchanged", async (_name, text, message) => {
    const project = await createTestProject();
    const path = await project.write(".cairn/tasks.json", text);
    const add = addTasks({
      projectRoot: project.projectRoot,
      planId: 0,
      drafts: [draft("B")],
      clock,
    });
    await expect(add).rejects.toThrow(message);
    expect(await readFile(path, "utf8")).toBe(text);
    expect(await readdir(join(project.projectRoot, ".cairn"))).toEqual(["tasks.json"]);
  });

  it("takes over the lock of a killed process", async () => {
    const project = await createTestProject();
    const lock = join(project.projectRoot, ".cairn/tasks.json.lock");
    await mkdir(lock, { recursive: true });
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock, longAgo, longAgo);
    await addTasks({ projectRoot: project.projectRoot, planId: 0, drafts: [draft("A")], clock });
    expect(await readTasks(project.projectRoot)).toHaveLength(1);
  });

  it("assigns unique ids with concurrent writers in several processes", async () => {
    const { projectRoot } = await createTestProject();
    const script = fileURLToPath(new URL("../support/add-tasks.ts", import.meta.url));
    const tsx = join(import.meta.dirname, "../../../node_modules/.bin/tsx");
    const here = Array.from({ length: 10 }, (_, index) =>
      addTasks({ projectRoot, planId: 0, drafts: [draft(`here ${index}`)], clock }),
    );
    await Promise.all([
      ...here,
      run(tsx, [script, projectRoot, "a", "10"]),
      run(tsx, [script, projectRoot, "b", "10"]),
    ]);
    const ids = (await readTasks(projectRoot)).map((task) => task.id);
    expect(ids).toHaveLength(30);
    expect(new Set(ids)).toEqual(new Set(Array.from({ length: 30 }, (_, i) => `0-${i + 1}`)));
  });
});
