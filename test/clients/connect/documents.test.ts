import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentLanguages } from "../../../src/clients/connect/plan-changes.ts";

const name = fc.stringMatching(/^[a-z][a-z0-9_ -]{0,8}$/).map((text) => text.trim());
const text = fc
  .string({ unit: "grapheme", maxLength: 12 })
  .map((value) => value.replaceAll(/\p{C}/gu, ""));
const entry = fc.record({
  command: text,
  args: fc.array(text, { maxLength: 3 }),
  env: fc.dictionary(name, text, { maxKeys: 2 }).map((map) => ({ ...map })),
  required: fc.boolean(),
});

describe.each([
  [
    "json",
    '// mine\n{\n    // about a\n    "a": [1, 2], /* b */\n    "servers": {\n        // theirs\n        "other": { "x": 1 }\n    } // last\n}\n',
  ],
  ["toml", '# mine\na = [1, 2] # about a\n\n[servers.other] # theirs\nx = 1\n\n[tail]\ny = "z"\n'],
  [
    "yaml",
    "# mine\na: [ 1, 2 ] # about a\n\nservers:\n  # theirs\n  other:\n    x: 1\ntail:\n  y: z\n",
  ],
  [
    "yaml",
    "a: 'b'  # two blanks\nservers:  # behind a key\n    other:   # theirs\n        x:   1 # wide\n        text: |\n            kept\n\n    # about nothing\n\n# about the tail\ntail: # next\n- {y: z}\n",
  ],
] as const)("%s", (format, original) => {
  const language = documentLanguages[format];

  it("adds a value, preserves comments, and removes it without a trace", () => {
    fc.assert(
      fc.property(name, entry, (key, value) => {
        fc.pre(key !== "other" && key !== "");
        const path = ["servers", key];
        const added = language.apply(original, { path, value });
        expect(language.parse(added)).toMatchObject({ servers: { other: { x: 1 }, [key]: value } });
        for (const comment of original.match(/(#|\/\/|\/\*) ?[a-z ]+/g) ?? []) {
          expect(added).toContain(comment.trim());
        }
        const removed = language.apply(added, { path, value: undefined });
        expect(removed).toBe(original);
      }),
      { numRuns: 60 },
    );
  });

  it("writes to an empty file", () => {
    const added = language.apply("", { path: ["servers", "cairn"], value: { command: "x" } });
    expect(language.parse(added)).toEqual({ servers: { cairn: { command: "x" } } });
  });
});

describe("yaml", () => {
  const config =
    "# goose\nGOOSE_MODEL: gpt   # mine\nextensions:  # all of them\n  cairn:  # ours\n    cmd: old\n    args: []\n  developer:   # theirs\n    enabled: true  # always\n";

  it("preserves all other lines when a value changes", () => {
    const value = { cmd: "new", args: ["mcp"] };
    const after = documentLanguages.yaml.apply(config, { path: ["extensions", "cairn"], value });
    expect(after).toBe(
      config.replace(
        / {2}cairn:.*\n {4}cmd: old\n {4}args: \[\]\n/,
        "  cairn:\n    cmd: new\n    args:\n      - mcp\n",
      ),
    );
  });

  it("preserves other list items and CRLF when one is added and removed", () => {
    const list = "servers:   # mine\r\n- name: one  # first\r\n  command: x\r\n# end\r\n";
    const path = ["servers", 1];
    const added = documentLanguages.yaml.apply(list, { path, value: { name: "cairn" } });
    expect(added).toBe(list.replace("# end", "- name: cairn\r\n# end"));
    expect(documentLanguages.yaml.apply(added, { path, value: undefined })).toBe(list);
  });
});
