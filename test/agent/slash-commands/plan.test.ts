import { describe, expect, it } from "vitest";
import { readPlans } from "../../../src/agent/tasks/plan-store.ts";
import { createFakeFlow, type ScriptedTurn } from "../support/fake-flow.ts";
import { createTestProject } from "../support/project.ts";

const PLAN = "---\nname: Cache\ndescription: Faster reads\n---\nRead once.";
const PROMPT = "prompt: [y]es to save, [n]o to refine, [a]bandon";
const LEFT = "info: Left the plan: nothing was saved.";

/** A turn in which the model calls `ask_user` for all questions concurrently. */
const asking =
  (questions: readonly string[], answer: string): ScriptedTurn =>
  async (_text, options) => {
    const replies = await Promise.all(
      questions.map((question) =>
        options.askUser?.(question, []).catch((error: Error) => `(${error.message})`),
      ),
    );
    return `${answer}${replies.map((reply) => `\n<!-- ${reply} -->`).join("")}`;
  };

describe("/plan", () => {
  it("prompts one question at a time and saves the accepted plan", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({
      project,
      turns: [asking(["Which store?", "How large?"], PLAN)],
      replies: ["sqlite", "small", "yes"],
    });
    await flow.type("/plan a cache");
    expect(flow.said).toEqual([
      "prompt: Which store?",
      "prompt: How large?",
      "info: Plan: Cache\nFaster reads",
      PROMPT,
      "success: Plan 1 saved: Cache. /plans split 1 splits it into tasks.",
    ]);
    expect(flow.turns[0]?.options.tools).toContain("ask_user");
    expect(flow.turns[0]?.options.tools).not.toContain("write");
    expect(flow.history).toEqual(["an earlier message"]);
    expect(await readPlans(project.projectRoot)).toMatchObject([
      { id: 1, name: "Cache", description: "Faster reads" },
    ]);
  });

  it("continues the discussion after a response without a plan", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({
      project,
      turns: ["What do you cache?", PLAN, PLAN.replace("Cache", "Store")],
      replies: ["files", "no, call it a store", "y"],
    });
    await flow.type("/plan a cache");
    expect(flow.turns.map((turn) => turn.text)).toEqual([
      "a cache",
      "files",
      "no, call it a store",
    ]);
    expect((await readPlans(project.projectRoot)).map((plan) => plan.name)).toEqual(["Store"]);
  });

  it("reports an invalid document without losing anything", async () => {
    const project = await createTestProject();
    const flow = createFakeFlow({
      project,
      turns: ["---\nname: N\n---\nx", PLAN],
      replies: ["add a description", "y"],
    });
    await flow.type("/plan x");
    expect(flow.said[0]).toBe("error: The frontmatter of the plan has no description.");
    expect(flow.turns[1]?.earlier).toHaveLength(2);
    expect(await readPlans(project.projectRoot)).toHaveLength(1);
  });

  it.each<[string, readonly ScriptedTurn[], readonly string[]]>([
    ["at its first question", [], ["/plan exit"]],
    ["at a question of the model", [asking(["Which?", "How?"], PLAN)], ["topic", "/plan exit"]],
    ["in the discussion", ["Tell me more."], ["topic", " /plan exit "]],
    ["at the review", [PLAN], ["topic", "/plan exit"]],
    ["when the review is abandoned", [PLAN], ["topic", "a"]],
    ["when the model fails", [{ outcome: "failed" }], ["topic"]],
  ])("can be left by %s", async (_when, turns, replies) => {
    const project = await createTestProject();
    const flow = createFakeFlow({ project, turns, replies });
    await flow.type("/plan");
    expect(flow.said.at(-1)).toBe(LEFT);
    expect(flow.said.filter((line) => line.startsWith("prompt"))).toHaveLength(replies.length);
    expect(flow.history).toEqual(["an earlier message"]);
    expect(await readPlans(project.projectRoot)).toEqual([]);
  });

  it("/plan exit reports that no plan is active", async () => {
    const flow = createFakeFlow({ project: await createTestProject() });
    await flow.type("/plan exit");
    expect(flow.said).toEqual(["info: No plan is open."]);
  });
});
