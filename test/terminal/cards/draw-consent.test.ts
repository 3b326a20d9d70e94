import fc from "fast-check";
import { expect, it } from "vitest";
import { drawConsent } from "../../../src/terminal/cards/draw-item.ts";
import { reducePermission } from "../../../src/terminal/state/reduce.ts";
import { createScreen } from "../../../src/terminal/state/screen.ts";

const textOf = (subject: string, width: number) =>
  drawConsent({ kind: "consent", head: "Allow shell?", subject, why: "", isLong: false }, width)
    .slice(1)
    .map((line) =>
      line
        .map(({ text }) => text)
        .join("")
        .slice(2),
    );

it("shows a command literally despite Markdown characters", () => {
  for (const subject of [
    "make <!-- ; ./evil.sh # -->",
    "echo [tests](; ./evil.sh)",
    "echo **a** `b` _c_ ; # heading",
    "a    b                                                                  ; ./evil.sh",
  ]) {
    expect(textOf(subject, 40).join("")).toBe(subject);
  }
  fc.assert(
    fc.property(
      fc.stringMatching(/^[ -~]{1,300}$/),
      fc.integer({ min: 20, max: 100 }),
      (subject, width) => {
        expect(textOf(subject, width).join("")).toBe(subject);
      },
    ),
  );
});

const question = (command: string) => ({
  type: "permission.ask" as const,
  question: {
    threadId: "t",
    questionId: "q",
    callId: "c",
    tool: "shell",
    title: "make",
    command,
    reason: "",
    always: ["shell make *"],
  },
});

it("Enter allows a visible call and declines one that may have scrolled off", () => {
  const screen = { ...createScreen({ cwd: "/" }), threadId: "t" };
  const chosen = (command: string) => {
    const { prompt } = reducePermission(screen, question(command), 0);
    return prompt?.choices[prompt.selected]?.key;
  };
  expect(chosen("make test")).toBe("y");
  expect(chosen(`./evil.sh\n${"echo a\n".repeat(100)}`)).toBe("n");
  expect(chosen(`make ${" ".repeat(2000)}; ./evil.sh`)).toBe("n");
});
