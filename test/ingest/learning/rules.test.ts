import { describe, expect, it } from "vitest";
import { learnByRules } from "../../../src/ingest/learning/index.ts";
import { LANGUAGES } from "../../../src/ingest/learning/rules/languages.ts";

describe.each(LANGUAGES.map((rules) => [rules.language, rules] as const))(
  "rules of the language %s",
  (_, { examples }) => {
    it.each(examples.map(([sentence, kind]) => ({ sentence, kind })))(
      "take of “$sentence”: $kind",
      ({ sentence, kind }) => {
        const claims = learnByRules([{ id: "passage:1", by: "user", text: sentence }]);
        expect(claims.map((claim) => claim.kind)).toEqual(kind === null ? [] : [kind]);
      },
    );
  },
);

describe("what an assistant asked about", () => {
  const answered = (asked: string, answer: string) =>
    learnByRules([
      { id: "1", by: "user", text: "Go through the open questions." },
      { id: "2", by: "assistant", text: asked },
      { id: "3", by: "user", text: answer },
    ]).map(({ text, evidence }) => ({ text, evidence }));

  it("is learned with the person's yes to it", () => {
    const asked =
      "I suggest that errors are returned as problem+json everywhere. Is that all right?";
    expect(answered(asked, "Yes.")).toEqual([
      {
        text: "I suggest that errors are returned as problem+json everywhere.",
        evidence: ["2", "3"],
      },
    ]);
    expect(answered(asked, "Let me think about it.")).toEqual([]);
    const limited = answered(asked, "Yes, but only in the public API.");
    expect(limited.flatMap(({ evidence }) => evidence)).not.toContain("2");
    expect(answered(asked, "Yes. And from now on never log card numbers.")).toEqual([
      { text: "And from now on never log card numbers.", evidence: ["3"] },
      expect.objectContaining({ evidence: ["2", "3"] }),
    ]);
  });

  it.each(["I can run the tests now. Shall I?", "I would rename the variable and push. Shall I?"])(
    "is not learned where it is a step of the work: %s",
    (asked) => expect(answered(asked, "Yes.")).toEqual([]),
  );
});
