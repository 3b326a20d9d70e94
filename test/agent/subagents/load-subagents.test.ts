import { expect, it } from "vitest";
import { agentSettings } from "../../../src/agent/settings.ts";
import { findSubagent, loadSubagents } from "../../../src/agent/subagents/load-subagents.ts";
import { createTestProject } from "../support/project.ts";

const settings = agentSettings.parse({});

it("subagents of the project win over the user's, and are found by id or name", async () => {
  const project = await createTestProject();
  await project.write(
    ".cairn/subagents/critic.md",
    "---\nname: The Critic\ndescription: finds faults\n---\nYou find faults.\n",
  );
  await project.write("user:subagents/critic.md", "---\ndescription: other\n---\nx");
  await project.write("user:subagents/scout.md", "---\ndescription: looks around\n---\nYou look.");
  const { subagents, warnings } = await loadSubagents({ ...project, settings });
  expect(warnings).toEqual([]);
  expect(subagents.slice(0, 2)).toMatchObject([
    { id: "critic", name: "The Critic", description: "finds faults", role: "You find faults." },
    { id: "scout", name: "scout", role: "You look." },
  ]);
  expect(findSubagent(subagents, " Critic ")?.id).toBe("critic");
  expect(findSubagent(subagents, "the critic")?.id).toBe("critic");
  expect(findSubagent(subagents, "nobody")).toBe(undefined);
});

it("a broken file is a warning with its path", async () => {
  const project = await createTestProject();
  await project.write(".cairn/subagents/a.md", "no frontmatter");
  await project.write(".cairn/subagents/b.md", "---\ndescription: x\n---\n\n");
  await project.write(".cairn/subagents/c.md", `---\ndescription: x\n---\n${"y".repeat(70_000)}`);
  const { subagents, warnings } = await loadSubagents({ ...project, settings });
  expect(subagents.map(({ id }) => id)).toEqual(["explore", "general", "review"]);
  expect(warnings).toEqual([
    expect.stringMatching(/subagents\/a\.md was ignored: it has no frontmatter/),
    expect.stringMatching(/subagents\/b\.md was ignored: it has no text below/),
    expect.stringMatching(/subagents\/c\.md was ignored: it is larger than 65536 bytes/),
  ]);
});

it("lists built-in subagents last, and replaces one by a file of the same name", async () => {
  const project = await createTestProject();
  await project.write(".cairn/subagents/review.md", "---\ndescription: ours\n---\nYou are ours.");
  const { subagents } = await loadSubagents({ ...project, settings });
  expect(subagents.map(({ id, description }) => (id === "review" ? description : id))).toEqual([
    "ours",
    "explore",
    "general",
  ]);
});
