import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent, AgentEventBody } from "../../../src/agent/index.ts";
import { drawItem } from "../../../src/terminal/cards/draw-item.ts";
import { createKey, type Key } from "../../../src/terminal/input/key-decoder.ts";
import { drawLive } from "../../../src/terminal/live/draw-live.ts";
import { pressKey } from "../../../src/terminal/state/press-key.ts";
import { type Action, reduce } from "../../../src/terminal/state/reduce.ts";
import { createScreen, type Screen } from "../../../src/terminal/state/screen.ts";
import { paintLine } from "../../../src/terminal/text/style.ts";
import { lineWidth } from "../../../src/terminal/text/wrap.ts";
import { anyEvent } from "./arbitrary-events.ts";

const NOW = 1_000_000;
const COMMANDS = [
  { name: "help", summary: "Show the commands" },
  { name: "tasks add", summary: "Add a task", usage: "<text>" },
  { name: "tasks run", summary: "Work on tasks", usage: "[id]" },
];
const CONTEXT = { commands: COMMANDS, now: NOW };

const fresh = () => reduce(createScreen({ cwd: "~/p" }), { type: "thread", threadId: "t" }, NOW);
const event = (body: AgentEventBody): Action => ({
  type: "event",
  event: { ...body, threadId: "t", seq: 1 } as AgentEvent,
});
const happen = (actions: readonly Action[], screen = fresh()) =>
  actions.reduce((state, action) => reduce(state, action, NOW), screen);
const press = (screen: Screen, ...keys: readonly Key[]) =>
  keys.reduce((state, key) => pressKey(state.screen, key, CONTEXT), {
    screen,
    effects: [],
  } as ReturnType<typeof pressKey>);
const type = (text: string): Key => ({ kind: "text", text });
const live = (screen: Screen, columns = 60, rows = 20) =>
  drawLive(screen, { columns, rows, now: NOW }).map((line) => paintLine(line, "none").trimEnd());
const printed = (screen: Screen, width = 60) =>
  screen.finished.flatMap((item, index) =>
    drawItem(item, screen.finished[index - 1], width).map((line) => paintLine(line, "none")),
  );

const anyKey = fc.oneof(
  fc.constantFrom(
    ..."up down left right enter tab escape backspace".split(" ").map((name) => createKey(name)),
  ),
  fc.constantFrom(..."c l o u w".split(" ").map((name) => createKey(name, { ctrl: true }))),
  fc.constantFrom("/", "/t", "@s", "1", "y", "word ", "日本語").map(type),
);
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: anyEvent.map((happened): Action => ({ type: "event", event: happened })),
  },
  fc.record({ type: fc.constant("sent" as const), text: fc.string(), queued: fc.boolean() }),
  fc.record({ type: fc.constant("queue" as const), waiting: fc.nat(3) }),
  fc.constantFrom<Action>({ type: "unsend" }, { type: "stopping" }, { type: "tick" }),
);

describe("the screen", () => {
  it("handles any order of events and keys; finished items stay unchanged", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyAction, anyKey), { maxLength: 60 }), (steps) => {
        let screen = fresh();
        for (const step of steps) {
          const next =
            "kind" in step ? pressKey(screen, step, CONTEXT).screen : reduce(screen, step, NOW);
          expect(next.finished.slice(0, screen.finished.length)).toEqual(screen.finished);
          screen = next;
        }
      }),
    );
  });

  it("keeps the live region within the terminal size", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyAction, anyKey), { maxLength: 40 }),
        fc.integer({ min: 24, max: 90 }),
        fc.integer({ min: 4, max: 30 }),
        (steps, columns, rows) => {
          let screen = fresh();
          for (const step of steps) {
            screen =
              "kind" in step ? pressKey(screen, step, CONTEXT).screen : reduce(screen, step, NOW);
          }
          const lines = drawLive(screen, { columns, rows, now: NOW });
          expect(lines.length).toBeLessThan(rows);
          for (const line of lines) expect(lineWidth(line)).toBeLessThan(columns);
        },
      ),
    );
  });

  it("never shows a control character of an event", () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 40 }), (steps) => {
        const screen = happen(steps);
        const output = [...printed(screen), ...live(screen)].join("\n");
        expect(output).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it("ignores the events of other threads", () => {
    const screen = fresh();
    const other = { type: "error", message: "x", threadId: "other", seq: 1 } as AgentEvent;
    expect(reduce(screen, { type: "event", event: other }, NOW)).toBe(screen);
  });
});

describe("a response", () => {
  it("searches sent messages with Ctrl-R", () => {
    const entries = ["the quick brown fox", "lazy dogs", "a brown\nbear"];
    const screen = happen([{ type: "history", entries }]);
    const ctrlR = createKey("r", { ctrl: true });
    for (const keys of [
      [type("brown"), ctrlR],
      [ctrlR, type("brown")],
      [type("br"), ctrlR, type("own")],
    ]) {
      const found = press(screen, ...keys).screen;
      expect(found.picker?.items.map(({ label }) => label)).toEqual([
        "a brown bear",
        "the quick brown fox",
      ]);
      for (const next of [createKey("down"), ctrlR]) {
        const chosen = press(found, next, createKey("enter"));
        expect(chosen.screen.editor.text).toBe("the quick brown fox");
        expect(chosen.effects).toEqual([]);
        const sent = press(chosen.screen, createKey("enter"));
        expect(sent.effects).toEqual([{ type: "submit", text: "the quick brown fox" }]);
      }
    }
  });

  it("never sends a Ctrl-R query and preserves the draft", () => {
    const screen = happen([{ type: "history", entries: ["the quick brown fox"] }]);
    const ctrlR = createKey("r", { ctrl: true });
    const none = press(screen, ctrlR, type("zzzq"), createKey("enter"), createKey("enter"));
    expect(none.effects).toEqual([]);
    expect(live(none.screen).join("\n")).toContain("none fits");
    const left = press(
      press(screen, type("half a th"), ctrlR, type("q")).screen,
      createKey("escape"),
    );
    expect(left.screen.picker).toBeUndefined();
    expect(left.screen.editor.text).toBe("half a th");
  });

  it("is not searched while entering a key", () => {
    const prompting = happen([{ type: "history", entries: ["one"] }]);
    const prompt = { question: "Key?", choices: [], selected: 0, isSecret: true } as const;
    const secret = { ...prompting, prompt };
    expect(press(secret, createKey("r", { ctrl: true })).screen.picker).toBeUndefined();
  });

  it("shows help for a lone question mark, which can still be sent", () => {
    const prompting = press(fresh(), type("?")).screen;
    expect(live(prompting).join("\n")).toContain("/help");
    expect(press(prompting, createKey("enter")).effects).toEqual([
      { type: "submit", text: "/help" },
    ]);
    const sent = press(prompting, createKey("escape"), createKey("enter"));
    expect(sent.effects).toContainEqual({ type: "submit", text: "?" });
    expect(press(prompting, type(" why")).screen.completion).toBeUndefined();
  });

  it("shows reasoning before it as an expandable line", () => {
    const thinking = happen([
      event({ type: "status", phase: "running" }),
      event({ type: "status", phase: "thinking", message: "Is it here?\n" }),
      event({ type: "status", phase: "thinking", message: "Or there?" }),
    ]);
    expect(live(thinking).join("\n")).toContain("Working 0s · Esc stops · Is it here? Or there?");
    const said = happen([event({ type: "assistant.done", text: "There." })], thinking);
    expect(printed(said)).toEqual(["◇ Thought for 0s · Ctrl-O shows it", "", "There."]);
    const opened = press(said, createKey("o", { ctrl: true })).screen;
    expect(printed(opened).slice(-3)).toEqual(["◇ Thought for 0s", "  Is it here?", "  Or there?"]);
  });

  it("counts subagents, runs without text, and session cost", () => {
    const usage = { inputTokens: 100, outputTokens: 10 };
    const said = { type: "assistant.done", text: "." } as const;
    const one = { ...usage, cost: 0.5, contextUsed: 0.9 };
    const { status } = happen([
      event({ ...said, usage: { ...one, contextUsed: 0.1 } }),
      event({ ...said, contextLabel: "[Deep]", usage: { ...one, cost: 0.6 } }),
      event({ type: "status", phase: "idle", usage: { ...usage, cost: 0.7 } }),
    ]);
    const sum = { inputTokens: 300, outputTokens: 30 };
    expect(status).toMatchObject({ ...sum, contextUsed: 0.1, cost: 0.7 });
    const counted = happen([event({ ...said, usage: one })]);
    expect(happen([event({ ...said, usage })], counted).status).not.toHaveProperty("cost");
    const other = happen([{ type: "thread", threadId: "other" }], counted);
    expect(other.status).not.toHaveProperty("cost");
  });

  it("shows a call being received and the latest output of a command", () => {
    const coming = happen([
      event({ type: "status", phase: "running" }),
      event({ type: "status", phase: "calling", message: "write", size: 3_210 }),
    ]);
    expect(live(coming).join("\n")).toContain("Working 0s · write 3.2 kB · Esc stops");
    const running = happen(
      [
        event({ type: "tool.call", callId: "c", name: "shell", args: { command: "make" } }),
        event({ type: "status", phase: "output", callId: "c", message: "cc a.c\ncc b.c" }),
      ],
      coming,
    );
    expect(live(running).join("\n")).toMatch(/shell make\n {2}cc a\.c\n {2}cc b\.c\n/);
    expect(live(running).join("\n")).not.toContain("kB");
  });

  it("is printed once and in order around its tools", () => {
    const screen = happen([
      { type: "sent", text: "fix it", queued: false },
      event({ type: "status", phase: "running" }),
      event({ type: "assistant.delta", text: "Let me " }),
      event({ type: "assistant.delta", text: "look." }),
      event({ type: "tool.call", callId: "1", name: "read", args: { path: "a.ts" } }),
      event({ type: "assistant.done", text: "Let me look." }),
      event({ type: "tool.result", callId: "1", name: "read", summary: "3 lines", hasDiff: false }),
      event({ type: "assistant.done", text: "Done **now**." }),
      event({ type: "status", phase: "idle" }),
    ]);
    expect(printed(screen)).toEqual([
      "› fix it",
      "",
      "Let me look.",
      "",
      "● read a.ts",
      "  3 lines",
      "",
      "Done now.",
    ]);
  });

  it("recognizes an escape sequence split into two chunks", () => {
    const screen = happen([
      event({ type: "assistant.delta", text: "a\x1b[3" }),
      event({ type: "assistant.delta", text: "1mb" }),
      event({ type: "assistant.done", text: "" }),
    ]);
    expect(printed(screen)).toEqual(["ab"]);
  });

  it("is preserved partially when the run is cancelled", () => {
    const screen = happen([
      event({ type: "status", phase: "running" }),
      event({ type: "assistant.delta", text: "Half a sen" }),
      event({ type: "tool.call", callId: "1", name: "shell", args: { command: "sleep 9" } }),
      event({ type: "status", phase: "aborted" }),
      event({ type: "status", phase: "idle" }),
    ]);
    expect(printed(screen)).toEqual([
      "Half a sen",
      "",
      "✗ shell sleep 9",
      "  Not finished.",
      "",
      "· Stopped.",
    ]);
    expect(screen.run).toBeUndefined();
  });
});

describe("a finished call", () => {
  const diff = `--- a/x\n+++ b/x\n@@ -1,2 +1,30 @@\n a\n-b\n${"+new\n".repeat(28)}`;

  it("collapses a long diff, and Ctrl-O prints it in full", () => {
    const screen = happen([
      event({ type: "tool.call", callId: "1", name: "edit", args: { path: "x" } }),
      event({ type: "tool.result", callId: "1", name: "edit", summary: "", hasDiff: true, diff }),
    ]);
    expect(printed(screen)).toHaveLength(16);
    expect(printed(screen)[0]).toBe("● edit x +28 -1");
    expect(printed(screen).at(-1)).toBe("  … 16 more rows, Ctrl-O shows them");
    const unfolded = press(screen, createKey("o", { ctrl: true })).screen;
    expect(printed(unfolded)).toHaveLength(16 + 32);
  });

  it("reports stored items and how to undo them", () => {
    const screen = happen([
      event({ type: "tool.call", callId: "1", name: "remember", args: { content: "tabs" } }),
      event({
        type: "tool.result",
        callId: "1",
        name: "remember",
        summary: "ep:7",
        hasDiff: false,
      }),
    ]);
    expect(printed(screen).at(-1)).toBe("· Remembered as ep:7. To undo: /forget ep:7");
  });
});

describe("keys", () => {
  it("complete a command, show its arguments, and send it without arguments", () => {
    const typed = press(fresh(), type("/ta"));
    expect(live(typed.screen).slice(-3, -1)).toEqual([
      "› /tasks add <text>  Add a task",
      "  /tasks run [id]    Work on tasks",
    ]);
    expect(press(typed.screen, createKey("down"), createKey("tab")).screen.editor.text).toBe(
      "/tasks run ",
    );
    expect(press(fresh(), type("/he"), createKey("enter")).effects).toEqual([
      { type: "submit", text: "/help" },
    ]);
  });

  it("queue messages during a run and restore them on cancel", () => {
    const running = happen([
      event({ type: "status", phase: "running" }),
      { type: "sent", text: "and then", queued: true },
    ]);
    expect(live(running)).toContain("waiting and then");
    const pressed = press(running, createKey("escape"));
    expect(pressed.effects).toEqual([{ type: "cancel" }]);
    expect(reduce(pressed.screen, { type: "unsend" }, NOW).editor.text).toBe("and then");
  });

  it("open rewind at the second Esc when idle and empty", () => {
    const once = press(fresh(), createKey("escape"));
    expect(once.screen.hint?.text).toContain("Esc again");
    expect(press(once.screen, createKey("escape")).effects).toEqual([
      { type: "submit", text: "/undo choose" },
    ]);
    const typed = press(fresh(), type("draft"), createKey("escape"), createKey("escape"));
    expect(typed.effects).toEqual([{ type: "cancel" }]);
  });

  it("exit at the second Ctrl-C, and save the draft to history at the first", () => {
    const once = press(fresh(), type("draft"), createKey("c", { ctrl: true }));
    expect(once.screen.editor.text).toBe("");
    expect(once.effects).toEqual([]);
    expect(press(once.screen, createKey("up")).screen.editor.text).toBe("draft");
    expect(press(once.screen, createKey("c", { ctrl: true })).effects).toEqual([{ type: "exit" }]);
  });

  it("choose with arrows or accept text", () => {
    const message = "Save this task? [y]es to save, [n]o to revise, [a]bandon";
    const prompting = happen([event({ type: "status", phase: "prompt", message })]);
    expect(live(prompting).join("\n")).toContain("y yes to save");
    expect(prompting.finished).toEqual([{ kind: "question", text: "Save this task?" }]);
    expect(press(prompting, createKey("right"), createKey("enter")).effects).toEqual([
      { type: "submit", text: "n" },
    ]);
    expect(press(prompting, type("no, shorter"), createKey("enter")).effects).toEqual([
      { type: "submit", text: "no, shorter" },
    ]);
  });

  it("show an allowed call once, and in full with Ctrl-O", () => {
    const diff = "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+two\n";
    const question = {
      ...{ questionId: "q", threadId: "t", callId: "c", tool: "edit", title: "a.txt" },
      ...{ reason: "", always: [], diff },
    };
    const prompting = reduce(
      fresh(),
      { type: "permission", notice: { type: "permission.ask", question } },
      NOW,
    );
    const result = { type: "tool.result", callId: "c", name: "edit", summary: "1 edit" } as const;
    const shownBy = (changed: string) =>
      reduce(prompting, event({ ...result, hasDiff: true, diff: changed }), NOW);
    const draw = (screen: Screen) => printed(screen).join("\n");
    expect(draw(shownBy(diff)).match(/\+ two/g)).toHaveLength(1);
    expect(draw(shownBy(diff.replace("two", "three")))).toMatch(/\+ two[\s\S]*\+ three/);
    const unfolded = press(shownBy(diff), createKey("o", { ctrl: true })).screen;
    expect(draw(unfolded).match(/\+ two/g)).toHaveLength(2);
  });

  it("ignore keys until a card could be read, and longer while typing", () => {
    const question = {
      ...{ questionId: "q", threadId: "t", callId: "c", tool: "shell", title: "ls" },
      ...{ reason: "", always: ["shell ls"] },
    };
    const notice = { type: "permission.ask", question } as const;
    const answers = (screen: Screen, key: Key, after: number) => {
      const prompting = reduce(screen, { type: "permission", notice }, NOW);
      return pressKey(prompting, key, { ...CONTEXT, now: NOW + after }).effects.length > 0;
    };
    const typing = press(fresh(), type("x"), createKey("backspace")).screen;
    for (const key of [type("a"), type("y"), createKey("enter")]) {
      expect([100, 600].map((after) => answers(fresh(), key, after))).toEqual([false, true]);
      expect([600, 1_600].map((after) => answers(typing, key, after))).toEqual([false, true]);
    }
    const drafting = press(fresh(), type("toda")).screen;
    expect(answers(drafting, type("y"), 60_000)).toBe(false);
  });

  it("answer the conflict inbox with one key", () => {
    const choices = [
      { key: "1", label: "the first" },
      { key: "2", label: "the second" },
      { key: "d", label: "dismiss" },
    ];
    const prompting = happen([
      event({ type: "status", phase: "prompt", message: "Which?", choices }),
    ]);
    expect(press(prompting, type("2")).effects).toEqual([{ type: "submit", text: "2" }]);
    expect(press(prompting, createKey("down"), createKey("enter")).effects).toEqual([
      { type: "submit", text: "2" },
    ]);
  });
});
