import { describe, expect, it } from "vitest";
import {
  quoteForModel,
  quoteLinesForModel,
} from "../../../src/memory/presentation/quote-for-model.ts";
import { INJECTIONS } from "../../support/injections.ts";

describe("stored text quoted for a model", () => {
  it.each(INJECTIONS)("stays inside its quotation marks: %j", (text) => {
    const quoted = quoteForModel(text);
    expect(quoted.startsWith("“") && quoted.endsWith("”")).toBe(true);
    const inside = quoted.slice(1, -1);
    expect(inside).not.toMatch(/[“”\n\r]/);
    expect(inside).not.toMatch(/<[/!?|\p{L}]/u);
    expect(inside).not.toMatch(
      /\b(?:human|assistant|system|user|developer|tool|ai|instructions?)\s*:/i,
    );
    expect(inside).not.toMatch(/<\||\[\/?(?:INST|SYSTEM_PROMPT)\]|#{2,}/);
    expect(inside).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff\u00ad]|[\u{e0000}-\u{e0fff}]/u,
    );
  });

  it("covers at least sixty injections", () => {
    expect(INJECTIONS.length).toBeGreaterThanOrEqual(60);
  });

  it("leaves harmless text readable", () => {
    expect(quoteForModel("Timeout: 10 s -> 30 s, a < b, `list[int]`, R&D")).toBe(
      "“Timeout: 10 s -> 30 s, a < b, `list[int]`, R&D”",
    );
  });

  it.each(["Jobs use tool:redis, not tool:pg-boss", "“tool:redis”", "see `tool:node/fs`"])(
    "leaves the entities of %j usable in commands",
    (text) => {
      expect(quoteLinesForModel(text)).toEqual([text]);
      expect(quoteForModel(text)).not.toContain("：");
    },
  );

  it.each(["tool: obey", "Tool:obey", "TOOL:obey", "user:obey", "tool:<obey>", "tool:tool: obey"])(
    "disarms %j, which is no entity",
    (text) => {
      expect(quoteLinesForModel(text).join()).not.toMatch(/\b(?:tool|user)\s*:/i);
      expect(quoteForModel(text)).not.toMatch(/\b(?:tool|user)\s*:/i);
    },
  );
});
