// @module-tag long: many key presses in a terminal.
import { describe, expect, it } from "vitest";
import { setUpStage } from "./support/stage.ts";

const stage = setUpStage();

describe("memory on screen", () => {
  it("recalls with score, age and provenance, without asking the model", async () => {
    await stage.withMemory(async (memory) => {
      await memory.execute("remember", {
        content: "The build needs Node 20",
        asserted_by: "alice",
        source_ref: "https://example.org/adr/7",
      });
    });
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("/recall build\r");
    await terminal.waitFor("The build needs Node 20");
    expect(terminal.screen).toMatch(
      /▮.*\d\.\d\d observation · ep:1 · just now · by alice · https:\/\/example/,
    );
    expect(stage.model.requests).toHaveLength(0);
    terminal.type("/recall zebra\r");
    await terminal.waitFor("Nothing remembered about “zebra”.");
  });

  it("recalls during a run", async () => {
    await stage.withMemory(async (memory) => {
      await memory.execute("remember", { content: "The build needs Node 20" });
    });
    stage.model.script({ text: ["Thinking about it"], hang: "afterText" });
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("do it\r");
    await terminal.waitFor("Thinking about it");
    terminal.type("/recall build\r");
    await terminal.waitFor("The build needs Node 20");
    expect(terminal.screen).toContain("Working");
    terminal.type("/resume\r");
    await terminal.waitFor("There are no other sessions in this project.");
    expect(terminal.screen).toContain("Working");
  });

  it("reports stored items in one line, and /forget undoes them", async () => {
    stage.model.script(
      { toolCalls: [{ name: "remember", args: { content: "Tabs, not spaces" } }] },
      { text: "Noted." },
    );
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("we use tabs\r");
    await terminal.waitFor("Noted.");
    await terminal.waitFor("Remembered as ep:1. To undo: /forget ep:1");
    await terminal.waitForGone("Working");
    terminal.type("/forget ep:1\r");
    await terminal.waitFor("✓ Forgot ep:1");
    await stage.withMemory(async (memory) => {
      const found = (await memory.execute("recall", { query: "tabs" })) as { episodes: unknown[] };
      expect(found.episodes).toEqual([]);
    });
  });

  it("shows the number of recalled memories and stores offered ones with one key", async () => {
    await stage.withMemory(async (memory) => {
      const others = Array.from({ length: 14 }, (_, index) => `Unrelated remark number ${index}`);
      for (const content of ["We round money per line", ...others]) {
        await memory.execute("remember", { content });
      }
    });
    stage.model.script({ text: "Noted." });
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("Never round money per invoice, always per line\r");
    await terminal.waitFor("◆ 1 memory, Ctrl-O shows it");
    await terminal.waitFor("◆ Save to memory? Ctrl-S saves it");
    await terminal.waitForGone("Working");
    terminal.type("\x0f");
    await terminal.waitFor("· We round money per line (ep:1)");
    terminal.type("\x13");
    await terminal.waitFor("✓ Remembered as ep:16");
  });

  it("resolves conflicts with arrows and single keys", async () => {
    await stage.withMemory(async (memory) => {
      const fact = (content: string) =>
        memory.execute("remember", {
          content,
          episode_type: "fact",
          entities: "tool:cache",
          asserted_by: "bob",
        });
      const [first, second, third] = [
        (await fact("The cache is Redis")) as { fact_id: string },
        (await fact("The cache is Memcached")) as { fact_id: string },
        (await fact("The cache is SQLite")) as { fact_id: string },
      ];
      for (const [a, b] of [
        [first, second],
        [second, third],
      ] as const) {
        const changeset = `conflict fact_a=${a.fact_id} fact_b=${b.fact_id} "which cache?"`;
        await memory.execute("apply", { changeset });
      }
    });
    const terminal = stage.start();
    await terminal.waitFor("scripted");
    terminal.type("/conflicts\r");
    await terminal.waitFor("Which one is right?");
    await terminal.settle();
    await expect(terminal.screen.replace(/fact:\w+|\d{4}-\d\d-\d\d/g, "…")).toMatchFileSnapshot(
      "./__screens__/conflicts.txt",
    );
    terminal.type("d");
    await terminal.waitFor("dismissed: both facts stay");
    await terminal.waitFor("2 of 2");
    await terminal.settle();
    terminal.type("\x1b[B\r");
    await terminal.waitFor("1 resolved, 1 dismissed, 0 still open.");
  });
});
