import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseNamedDocument } from "../../../src/agent/documents/parse-named-document.ts";

const PLAN = "---\nname: Cache\ndescription: Faster reads\n---\n\n## Aim\n\nRead once.";
const EXPECTED = { name: "Cache", description: "Faster reads", body: "## Aim\n\nRead once." };

describe("a document in a model's response", () => {
  it.each([
    ["alone", PLAN],
    ["after some sentences", `Here is the plan.\n\n${PLAN}`],
    ["in a fence", `Done:\n\n\`\`\`markdown\n${PLAN}\n\`\`\`\nShall I go on?`],
    ["after a horizontal rule", `First this.\n\n---\n\nThen that.\n\n${PLAN}`],
    ["with Windows line ends", PLAN.replace(/\n/g, "\r\n")],
  ])("%s is found", (_name, answer) => {
    expect(parseNamedDocument(answer, "plan")).toEqual(EXPECTED);
  });

  it("code blocks in it stay whole, also inside a fence around it", () => {
    const body = "Do\n\n```ts\nconst a = 1;\n```\n\nthen that.";
    const document = `---\nname: N\ndescription: D\n---\n${body}`;
    expect(parseNamedDocument(document, "plan")?.body).toBe(body);
    expect(parseNamedDocument(`\`\`\`md\n${document}\n\`\`\``, "plan")?.body).toBe(body);
  });

  it("a rule in its text does not end it", () => {
    expect(parseNamedDocument(`${PLAN}\n\n---\n\nMore.`, "plan")?.body).toBe(
      "## Aim\n\nRead once.\n\n---\n\nMore.",
    );
  });

  it("returns none for a response that only continues the discussion", () => {
    expect(parseNamedDocument("Which database do you use?\n\n---\n\nI ask because…", "plan")).toBe(
      undefined,
    );
  });

  it.each([
    ["---\nname: N\n---\nx", "has no description"],
    ["---\ndescription: D\n---\nx", "has no name"],
    ["---\nname: N\ndescription: D\n---\n", "has no text below"],
    ["---\nname: [N\ndescription: D\n---\nx", "not valid YAML"],
  ])("%j is refused with the reason", (answer, reason) => {
    expect(() => parseNamedDocument(answer, "plan")).toThrow(reason);
  });

  it("parses a hostile response of rules quickly", () => {
    const started = performance.now();
    expect(parseNamedDocument("---\n".repeat(250_000), "plan")).toBe(undefined);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it("throws no error other than its own for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        try {
          parseNamedDocument(`---\n${text}\n---\nbody`, "plan");
        } catch (error) {
          expect(error).toHaveProperty("code", "invalid_input");
        }
      }),
    );
  });
});
