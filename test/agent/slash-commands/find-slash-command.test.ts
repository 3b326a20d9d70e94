import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findSlashCommand,
  offeredCommands,
  readUserMessage,
} from "../../../src/agent/slash-commands/find-slash-command.ts";
import { helpText } from "../../../src/agent/slash-commands/help.ts";
import { slashCommands } from "../../../src/agent/slash-commands/registry.ts";
import { createTestProject } from "../support/project.ts";

describe("a slash command", () => {
  it.each([
    ["/help", "help", ""],
    ["  /tasks add  Fix the\nbug  ", "tasks add", "Fix the\nbug"],
    ["/tasks   add x", "tasks add", "x"],
    ["/tasks", "tasks", ""],
    ["/TASKS Add x", "tasks add", "x"],
    ["/plan", "plan", ""],
    ["/plan exit", "plan exit", ""],
    ["/plan exit strategy", "plan", "exit strategy"],
    ["/plans split 3", "plans split", "3"],
    ["/plans splitter", "plans", "splitter"],
    ["/model\ngpt", "model", "gpt"],
  ])("%j is %s", (text, name, args) => {
    const found = findSlashCommand(text);
    expect([found?.command.name, found?.args]).toEqual([name, args]);
  });

  it.each(["help", "/helpme", "/usr/bin", "/", "see /help", "//help"])("%j is none", (text) => {
    expect(findSlashCommand(text)).toBe(undefined);
  });

  it("has a unique name and a line in the help", () => {
    const names = slashCommands.map((command) => command.name);
    expect(new Set(names).size).toBe(names.length);
    const help = helpText(slashCommands);
    for (const name of names) expect(help).toMatch(new RegExp(`^/${name}\\b`, "m"));
  });
});

describe("the list for completion", () => {
  it("includes built-in and custom commands", async () => {
    const project = await createTestProject();
    await project.write(".cairn/commands/ship.md", "Ship {input}");
    const offered = await offeredCommands(project);
    expect(offered.map(({ name }) => name)).toEqual([
      ...slashCommands.map(({ name }) => name),
      "ship",
    ]);
    expect(offered.at(-1)).toMatchObject({ summary: "Custom command", usage: "[input]" });
  });
});

describe("a message", () => {
  const custom = [{ name: "ship", description: undefined, prompt: "Ship {input}!", path: "" }];

  it("may call a command of the user", () => {
    expect(readUserMessage("/ship the\nboat", custom)).toEqual({
      kind: "prompt",
      text: "Ship the\nboat!",
    });
  });

  it("of any text is read quickly, and never fails", () => {
    const started = performance.now();
    expect(readUserMessage(`/${"a".repeat(1_000_000)}`, custom).kind).toBe("prompt");
    expect(readUserMessage(`/tasks${" ".repeat(1_000_000)}x`, custom).kind).toBe("command");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(["command", "prompt", "unknown"]).toContain(
          readUserMessage(`/${text}`, custom).kind,
        );
      }),
    );
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it.each(["/usr/bin/env is missing", "/ is the root", "plain text", "/* comment */"])(
    "%j is for the model",
    (text) => {
      expect(readUserMessage(text, custom)).toEqual({ kind: "prompt", text });
    },
  );

  it("with an unknown command names the nearest one", () => {
    expect(readUserMessage("/hlep", custom)).toEqual({
      kind: "unknown",
      message: 'There is no command /hlep. Did you mean "/help"?',
    });
    expect(readUserMessage("/xyzzyplugh", custom)).toEqual({
      kind: "unknown",
      message: "There is no command /xyzzyplugh. /help lists them.",
    });
  });
});
