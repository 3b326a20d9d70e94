// @module-tag long: many key presses in a terminal.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();

describe("flows on screen", () => {
  it("drafts a task, revises it, and saves it", async () => {
    const draft = (name: string) =>
      JSON.stringify({ name, description: "d", acceptanceCriteria: ["it runs"] });
    stage.model.script({ text: draft("Too long a name") }, { text: draft("Short") });
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("/tasks add fix the thing\r");
    await terminal.waitFor("y yes, save");
    terminal.type("no, shorter\r");
    await terminal.waitFor(/Short[\s\S]*y yes, save/);
    await terminal.settle();
    terminal.type("\r");
    await terminal.waitFor(/✓ .*0-1/);
    expect(readFileSync(join(stage.project, ".cairn", "tasks.json"), "utf8")).toContain("Short");
  });

  it("lets the model ask in a plan and continues after the reply", async () => {
    stage.model.script(
      { toolCalls: [{ name: "ask_user", args: { question: "Which store?" } }] },
      { text: "---\nname: Cache\ndescription: Faster\n---\nUse it." },
    );
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("/plan a cache\r");
    await terminal.waitFor("Which store?");
    await terminal.settle();
    terminal.type("sqlite\r");
    await terminal.waitFor("y yes");
    expect(JSON.stringify(stage.model.requests[1]?.body.messages)).toContain("sqlite");
    expect(terminal.all).not.toContain("Not finished.");
    terminal.type("\x1b");
    await terminal.waitFor("Stopped.");
  });

  it("runs tasks with a progress list", async () => {
    mkdirSync(join(stage.project, ".cairn"));
    const tasks = ["First", "Second"].map((name, index) => ({
      id: `0-${index + 1}`,
      name,
      description: "d",
      relatedFiles: [],
      acceptanceCriteria: [],
      status: "open",
    }));
    writeFileSync(join(stage.project, ".cairn", "tasks.json"), JSON.stringify(tasks));
    stage.model.script({ text: "did the first" }, { text: "did the second", delayMs: 1500 });
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("/tasks run\r");
    await terminal.waitFor("did the first");
    await terminal.waitFor("▸ Second");
    const screen = terminal.screen.replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] Working \d+s/, "* Working");
    await expect(screen).toMatchFileSnapshot("./__screens__/tasks.txt");
    await terminal.waitFor("did the second");
    await terminal.waitForGone("Tasks 1/2");
  });
});
