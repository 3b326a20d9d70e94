import { describe, expect, it } from "vitest";
import { readTasks } from "../../../src/agent/tasks/task-store.ts";
import { createFakeFlow } from "../support/fake-flow.ts";
import { createTestProject } from "../support/project.ts";

const draft = (name: string) =>
  JSON.stringify({
    name,
    description: "Because.",
    relatedFiles: ["src/a.ts"],
    acceptanceCriteria: ["it runs"],
  });

const PROMPT = "prompt: [y]es to save, [n]o to revise, [a]bandon";

describe("/tasks add", () => {
  it("saves an accepted draft under the next id, and the conversation is as before", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({ project, turns: [draft("Fix it")], replies: ["y"] });
    await flow.type("/tasks add repair the build");
    expect(flow.said).toEqual([
      "info: Fix it\nBecause.\nRelated files:\n- src/a.ts\nAcceptance criteria:\n- it runs",
      PROMPT,
      "success: Task 0-1 saved: Fix it",
    ]);
    expect(flow.turns).toMatchObject([{ text: "repair the build", earlier: [] }]);
    expect(flow.turns[0]?.options.tools).not.toContain("edit");
    expect(flow.history).toEqual(["an earlier message"]);
    expect(await readTasks(project.projectRoot)).toMatchObject([
      {
        id: "0-1",
        name: "Fix it",
        description: "Because.",
        relatedFiles: ["src/a.ts"],
        acceptanceCriteria: ["it runs"],
      },
    ]);
  });

  it("creates a new draft in the same discussion after feedback", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({
      project,
      turns: [draft("A very long name"), draft("Other"), draft("Short")],
      replies: ["no, shorter title", "n", "", "still shorter", "yes"],
    });
    await flow.type("/tasks add x");
    expect(flow.turns.map((turn) => turn.text)).toEqual([
      "x",
      "no, shorter title",
      "still shorter",
    ]);
    expect(flow.turns[2]?.earlier).toHaveLength(4);
    expect((await readTasks(project.projectRoot)).map((task) => task.name)).toEqual(["Short"]);
  });

  it("an abandoned draft leaves nothing", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({ project, turns: [draft("A")], replies: ["abandon"] });
    await flow.type("/tasks add x");
    expect(flow.said.at(-1)).toBe("info: Abandoned: nothing was saved.");
    expect(await readTasks(project.projectRoot)).toEqual([]);
    expect(flow.history).toEqual(["an earlier message"]);
  });

  it("a draft that cannot be read is one error, and the conversation is as before", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({ project, turns: ["I would rather not."] });
    await flow.type("/tasks add x");
    expect(flow.said).toEqual([
      "error: The draft of the task cannot be read: it contains no JSON object.",
    ]);
    expect(flow.history).toEqual(["an earlier message"]);
  });

  it.each(["failed", "aborted"] as const)("a turn that %s ends it quietly", async (outcome) => {
    const project = await createTestProject();
    const flow = createFakeFlow({ project, turns: [{ outcome }] });
    await flow.type("/tasks add x");
    expect(flow.said).toEqual([]);
    expect(flow.history).toEqual(["an earlier message"]);
  });

  it("includes files that the user mentions, but not those in the model's drafts", async () => {
    const project = await createTestProject();
    await project.write("notes.md", "NOTES");
    const flow = createFakeFlow({ project, turns: [draft("@notes.md")], replies: ["a"] });
    await flow.type("/tasks add see @notes.md");
    expect(flow.turns[0]?.text).toContain("NOTES");
  });

  it("reports a missing text without a request", async () => {
    const flow = createFakeFlow({ project: await createTestProject() });
    await flow.type("/tasks add");
    expect(flow.said).toEqual(["error: Describe the task: /tasks add <text>"]);
  });

  it("reports an invalid tasks file after the review, and the thread continues", async () => {
    const project = await createTestProject();
    await project.write(".cairn/tasks.json", "{");
    const flow = createFakeFlow({ project, turns: [draft("A")], replies: ["y"] });
    await flow.type("/tasks add x");
    expect(flow.said.at(-1)).toMatch(/^error: .*tasks\.json is broken/);
  });
});

describe("/tasks and /tasks rm", () => {
  it("list and remove", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({
      project,
      turns: [draft("A"), draft("B")],
      replies: ["y", "y"],
    });
    await flow.type("/tasks add x");
    await flow.type("/tasks add y");
    flow.said.length = 0;
    await flow.type("/tasks rm 0-1");
    await flow.type("/tasks rm 0-1");
    await flow.type("/tasks");
    await flow.type("/tasks ad");
    expect(flow.said).toEqual([
      "success: Task 0-1 removed: A",
      "error: There is no task 0-1. /tasks lists them.",
      "print: [ ] 0-2  B\n\n0 of 1 done",
      'error: There is no command /tasks ad. Did you mean "add"?',
    ]);
  });
});
