import { describe, expect, it } from "vitest";
import type { Dialogue } from "../../../src/agent/ports/dialogue.ts";
import { askForReview, readReview } from "../../../src/agent/slash-commands/review.ts";

describe("a reply to a draft", () => {
  it.each(["y", "Y", "yes", " YES ", "yes.", "y!"])("%j accepts it", (reply) => {
    expect(readReview(reply)).toEqual({ kind: "accept" });
  });

  it.each(["a", "A", "abandon", "/plan exit", " /plan  EXIT "])("%j leaves it", (reply) => {
    expect(readReview(reply)).toEqual({ kind: "abandon" });
  });

  it.each(["no, shorter title", "yes but shorter", "add tests", "/help", "no tests please"])(
    "%j is feedback as typed",
    (reply) => {
      expect(readReview(reply)).toEqual({ kind: "feedback", text: reply });
    },
  );

  it.each([
    ["n", ["", " ", "shorter"], { kind: "feedback", text: "shorter" }],
    ["no", ["no", "shorter"], { kind: "feedback", text: "shorter" }],
    ["n", ["a"], { kind: "abandon" }],
  ])("%j alone prompts for the goal", async (reply, further, expected) => {
    const replies = [reply, ...further];
    const requests: string[] = [];
    const ask = async (question: string) => {
      requests.push(question);
      return replies.shift() ?? "";
    };
    const review = await askForReview({ ask } as Dialogue, { accept: "save", revise: "revise" });
    expect(review).toEqual(expected);
    expect(requests[0]).toBe("[y]es to save, [n]o to revise, [a]bandon");
    expect(requests).toHaveLength(1 + further.length);
  });
});
