import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTaskList } from "../../../src/agent/tasks/parse-task-list.ts";
import { parseTaskDraft } from "../../../src/agent/tasks/task-store.ts";

const names = (answer: string) => parseTaskList(answer).map((draft) => draft.name);

describe("a list of tasks", () => {
  it("reads names and descriptions of checkbox items", () => {
    expect(parseTaskList("- [ ] Add parser: reads the file\n- [ ] Use it")).toEqual([
      draft({ name: "Add parser", description: "reads the file" }),
      draft({ name: "Use it" }),
    ]);
  });

  it.each([
    ["dashes", "- A: x\n- B: y"],
    ["stars", "* A: x\n* B: y"],
    ["plus signs", "+ A: x\n+ B: y"],
    ["numbers", "1. A: x\n2. B: y"],
    ["numbers with brackets", "1) A: x\n2) B: y"],
    ["bold names", "- **A**: x\n- **B:** y"],
    ["numbers with boxes and bold names", "1. [ ] **A** - x\n2. [x] **B** — y"],
    ["Windows line ends", "- [ ] A: x\r\n- [ ] B: y\r\n"],
    ["a fence around all", "Sure:\n\n```markdown\n- [ ] A: x\n- [ ] B: y\n```\n"],
    ["indentation", "  - [ ] A: x\n  - [ ] B: y"],
    ["blank lines between", "- [ ] A: x\n\n- [ ] B: y\n"],
  ])("%s are read", (_name, answer) => {
    expect(parseTaskList(answer).map(({ name, description }) => [name, description])).toEqual([
      ["A", "x"],
      ["B", "y"],
    ]);
  });

  it("assigns nested content to its task", () => {
    const [first, second] = parseTaskList(
      [
        "- [ ] A: x",
        "  More about it:",
        "  - first step",
        "  ```ts",
        "  - not an item",
        "  ```",
        "- [ ] B",
        "  - Files: `src/a.ts`, src/b.ts",
        "  - **Acceptance criteria:**",
        "    - it runs",
        "    - tests pass",
      ].join("\n"),
    );
    expect(first?.description).toBe("x\nMore about it:\n- first step\n```ts\n- not an item\n```");
    expect(second).toEqual(
      draft({
        name: "B",
        relatedFiles: ["src/a.ts", "src/b.ts"],
        acceptanceCriteria: ["it runs", "tests pass"],
      }),
    );
  });

  it("ignores lists without checkboxes", () => {
    expect(names("Notes:\n- a note\n- another\n\n- [ ] A: x\n- [ ] B\n\nRisks:\n- a risk")).toEqual(
      ["A", "B"],
    );
  });

  it("a closing paragraph is not part of the last task", () => {
    expect(parseTaskList("- [ ] A: x\n\nTell me what you think.")).toEqual([
      draft({ name: "A", description: "x" }),
    ]);
  });

  it("a colon inside code does not split the name", () => {
    expect(names("- [ ] Rename `a: b` to c: because")).toEqual(["Rename `a: b` to c"]);
  });

  it("accepts JSON as an array, under tasks, and in a fence", () => {
    const json =
      '[{"name":"A","codeContext":"fn"},{"name":"B","acceptanceCriteria":"- one\\n- two"}]';
    const expected = [
      draft({ name: "A", codeContext: "fn" }),
      draft({ name: "B", acceptanceCriteria: ["one", "two"] }),
    ];
    expect(parseTaskList(json)).toEqual(expected);
    expect(parseTaskList(`{"tasks": ${json}}`)).toEqual(expected);
    expect(parseTaskList(`Here:\n\`\`\`json\n${json}\n\`\`\``)).toEqual(expected);
  });

  it("code context that is a structure becomes text", () => {
    const [task] = parseTaskList('[{"name":"A","codeContext":{"src/a.ts":"x"}}]');
    expect(task?.codeContext).toBe('{\n  "src/a.ts": "x"\n}');
  });

  it("reports the expected format for a response without a list", () => {
    expect(() => parseTaskList("I cannot do that.")).toThrow(/- \[ \] Name: description/);
  });

  it("any list that is written is read again, in order", () => {
    const word = fc.stringMatching(/^[A-Za-z][a-z]{0,12}( [a-z]{1,8}){0,3}$/);
    const marker = fc.constantFrom("-", "*", "+", "1.", "12)");
    const box = fc.constantFrom("", "[ ] ", "[x] ");
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: word, description: word }), { minLength: 1, maxLength: 8 }),
        marker,
        box,
        (tasks, mark, boxText) => {
          const text = tasks
            .map((task) => `${mark} ${boxText}${task.name}: ${task.description}`)
            .join("\n");
          expect(
            parseTaskList(text).map(({ name, description }) => ({ name, description })),
          ).toEqual(tasks);
        },
      ),
    );
  });

  it("a hostile line ends quickly, and nothing of it is lost", () => {
    const started = performance.now();
    const [task] = parseTaskList(`- [ ] Name:${" ".repeat(500_000)}end`);
    expect(task?.name).toBe("Name");
    expect(task?.description.trim()).toBe("end");
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it("parses an endless list", () => {
    expect(parseTaskList("- a\n".repeat(200_000))).toHaveLength(200_000);
  });

  it("throws no error other than its own for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        try {
          expect(parseTaskList(text).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toHaveProperty("code", "invalid_input");
        }
      }),
    );
  });
});

describe("a drafted task", () => {
  it("missing lists are empty, and text lists are split", () => {
    expect(
      parseTaskDraft('```json\n{"name": " A\\n b ", "relatedFiles": "x.ts\\n- y.ts"}\n```'),
    ).toEqual(draft({ name: "A b", relatedFiles: ["x.ts", "y.ts"] }));
  });

  it("reports a response without JSON or a name", () => {
    expect(() => parseTaskDraft("Sorry, no.")).toThrow("it contains no JSON object");
    expect(() => parseTaskDraft('{"description": "x"}')).toThrow(/"name"/);
  });
});

function draft(fields: Partial<ReturnType<typeof parseTaskDraft>>) {
  return { name: "", description: "", relatedFiles: [], acceptanceCriteria: [], ...fields };
}
