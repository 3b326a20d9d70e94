import { expect, it } from "vitest";
import { parseTaskFile } from "../../../src/agent/run/task-file.ts";

it("reads open boxes with details, checks, ids and order; prose in upper case is no field", () => {
  const { tasks, checks } = parseTaskFile(
    [
      "check: `npm test`",
      "",
      "- [x] Done before",
      "- [ ] First",
      "  id: one",
      "  check: grep -q x a.ts",
      "  Check: that the button is blue",
      "- [ ] Second",
      "  - after: one",
      "  More about it.",
    ].join("\n"),
  );
  expect(checks).toEqual(["npm test"]);
  expect(tasks).toEqual([
    {
      ...{ id: "one", name: "First", checks: ["grep -q x a.ts"], after: [] },
      details: "Check: that the button is blue",
    },
    { id: "3", name: "Second", details: "More about it.", checks: [], after: ["one"] },
  ]);
});

it.each([
  ["nothing", "contains no open task"],
  ["- [ ] A\n  after: z", 'names "z", which is not a task'],
  ["- [ ] A\n  id: a\n  after: b\n- [ ] B\n  id: b\n  after: a", "depend on each other: a, b"],
  ["- [ ] A\n  id: a\n- [ ] B\n  id: a", '"a" is used by two tasks'],
  ["- [ ] A\n  check:", "the value is missing"],
])("refuses %j", (text, reason) => {
  expect(() => parseTaskFile(text)).toThrow(reason);
});
