import { describe, expect, it } from "vitest";
import type { AgentEvent, AgentEventBody } from "../../../src/agent/index.ts";
import { drawItem } from "../../../src/terminal/cards/draw-item.ts";
import { createKey } from "../../../src/terminal/input/key-decoder.ts";
import { drawLive } from "../../../src/terminal/live/draw-live.ts";
import { createHistoryItems } from "../../../src/terminal/session/local-commands.ts";
import { pressKey } from "../../../src/terminal/state/press-key.ts";
import { reduce } from "../../../src/terminal/state/reduce.ts";
import {
  createScreen,
  type FinishedItem,
  type Screen,
} from "../../../src/terminal/state/screen.ts";
import { paintLine } from "../../../src/terminal/text/style.ts";

const NOW = 1_000_000;
const happened = (screen: Screen, ...events: readonly AgentEventBody[]) =>
  events.reduce(
    (state, body, index) =>
      reduce(
        state,
        { type: "event", event: { ...body, threadId: "t", seq: index + 1 } as AgentEvent },
        NOW,
      ),
    screen,
  );
const begun = () =>
  happened(reduce(createScreen({ cwd: "~/p" }), { type: "thread", threadId: "t" }, NOW), {
    type: "status",
    phase: "running",
  });
let count = 0;
const calls = (
  name: string,
  args: Record<string, unknown>,
  { isError = false, contextLabel }: { isError?: boolean; contextLabel?: string } = {},
): readonly AgentEventBody[] => {
  count += 1;
  const callId = `c${count}`;
  const label = contextLabel === undefined ? {} : { contextLabel };
  return [
    { type: "tool.call", callId, name, args, ...label },
    {
      ...{ type: "tool.result", callId, name, summary: `${name} done`, output: `text of ${name}` },
      ...(isError && { isError }),
      ...label,
    },
  ] as readonly AgentEventBody[];
};
const drawn = (items: readonly FinishedItem[], width = 78) =>
  items
    .flatMap((item, index) => drawItem(item, items[index - 1], width))
    .map((line) => paintLine(line, "none").trimEnd());
const live = (screen: Screen) =>
  drawLive(screen, { columns: 78, rows: 24, now: NOW }).map((line) => paintLine(line, "none"));

describe("consecutive read-only calls", () => {
  const looked = () =>
    happened(
      begun(),
      ...calls("read", { path: "src/a.ts" }),
      ...calls("read", { path: "src/b.ts" }),
      ...calls("grep", { pattern: "total", path: "src" }),
      ...calls("read", { path: "src/a.ts" }),
    );

  it("become one block once something else follows", () => {
    const screen = happened(
      looked(),
      { type: "assistant.delta", text: "All read." },
      { type: "assistant.done", text: "All read." },
    );
    expect(drawn(screen.finished)).toEqual([
      "● Explored: 2 files, 1 search · Ctrl-O shows them",
      "  src/a.ts · src/b.ts · total src",
      "",
      "All read.",
    ]);
  });

  it("are counted below while running", () => {
    expect(looked().finished).toEqual([]);
    expect(live(looked()).join("\n")).toContain("○ Exploring: 2 files, 1 search · total src");
  });

  it("expand with their results", () => {
    const { screen } = pressKey(looked(), createKey("o", { ctrl: true }), {
      commands: [],
      now: NOW,
    });
    const rows = drawn(screen.finished);
    expect(rows).toContain("● Explored: 2 files, 1 search");
    expect(rows.filter((row) => row === "  text of read")).toHaveLength(3);
    expect(rows).toContain("● grep total src");
    expect(screen.reads).toEqual([]);
  });

  it("leave a single call unchanged", () => {
    const screen = happened(begun(), ...calls("read", { path: "a" }), {
      type: "status",
      phase: "idle",
    });
    expect(drawn(screen.finished)[0]).toBe("● read a");
  });

  it("end at a change and start again after it", () => {
    const screen = happened(
      looked(),
      ...calls("write", { path: "src/c.ts" }),
      ...calls("glob", { pattern: "*.md" }),
      ...calls("skim", { path: "README.md", start_line: 1, end_line: 2 }),
      { type: "status", phase: "idle" },
    );
    expect(screen.finished.map(({ kind }) => kind)).toEqual(["explored", "tool", "explored"]);
    expect(drawn(screen.finished).at(-2)).toContain("Explored: 1 file, 1 search");
  });

  it("show failed calls separately in order", () => {
    const screen = happened(
      looked(),
      ...calls("read", { path: "gone.ts" }, { isError: true }),
      ...calls("read", { path: "here.ts" }),
      { type: "status", phase: "aborted" },
    );
    expect(drawn(screen.finished)).toContain("✗ read gone.ts");
    expect(screen.finished.map(({ kind }) => kind)).toEqual(["explored", "tool", "tool", "note"]);
  });

  it("of two concurrent subagents are two blocks", () => {
    const screen = happened(
      begun(),
      ...calls("read", { path: "a" }, { contextLabel: "explore-1" }),
      ...calls("read", { path: "b" }, { contextLabel: "explore-2" }),
      ...calls("read", { path: "c" }, { contextLabel: "explore-1" }),
      ...calls("read", { path: "d" }, { contextLabel: "explore-2" }),
      { type: "status", phase: "idle" },
    );
    expect(drawn(screen.finished)).toEqual([
      "● explore-1 Explored: 2 files · Ctrl-O shows them",
      "  a · c",
      "● explore-2 Explored: 2 files · Ctrl-O shows them",
      "  b · d",
    ]);
  });

  it("precede a permission request that follows", () => {
    const screen = happened(looked(), { type: "status", phase: "prompt", message: "Which one?" });
    expect(screen.finished.map(({ kind }) => kind)).toEqual(["explored", "question"]);
  });

  it("survive session switches and reopening", () => {
    const switched = reduce(looked(), { type: "thread", threadId: "u" }, NOW);
    expect(switched.finished.map(({ kind }) => kind)).toEqual(["explored"]);
    const items = createHistoryItems([
      { role: "user", text: "look" },
      { role: "tool", text: "read", args: { path: "a" } },
      { role: "tool", text: "read", args: { path: "b" } },
      { role: "assistant", text: "Seen." },
    ] as Parameters<typeof createHistoryItems>[0]);
    expect(items.map(({ kind }) => kind)).toEqual(["user", "explored", "assistant"]);
  });

  it("fit into forty columns", () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      calls("read", { path: `src/some/long/folder/file-${index}.ts` }),
    ).flat();
    const screen = happened(begun(), ...many, { type: "status", phase: "idle" });
    const rows = drawn(screen.finished, 39);
    expect(rows).toHaveLength(2);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(39);
  });
});
