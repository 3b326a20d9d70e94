import { expect, it } from "vitest";
import { parseTaskFile } from "../../../src/agent/unattended/parse-task-file.ts";

it("reads tasks, what is said below them, their checks, names and order", () => {
  const text = `# Tonight

check: \`npm test\`

Some words that belong to nobody.

- [ ] Rename the setting
  Everywhere, in the docs too.

  \`\`\`ts
  - [ ] no task
  check: none
  \`\`\`
  id: rename
- [x] Done long ago
* [ ] Say it in the guide
  - after: rename, 2
  - check: npm run docs
  - a detail
## Later
1. [ ]   Third
`;
  expect(parseTaskFile(text)).toEqual({
    checks: ["npm test"],
    tasks: [
      {
        id: "rename",
        name: "Rename the setting",
        details: "Everywhere, in the docs too.\n\n```ts\n- [ ] no task\ncheck: none\n```".replace(
          /^/gm,
          "",
        ),
        checks: [],
        after: [],
      },
      {
        id: "3",
        name: "Say it in the guide",
        details: "- a detail",
        checks: ["npm run docs"],
        after: ["rename"],
      },
      { id: "4", name: "Third", details: "", checks: [], after: [] },
    ],
  });
});

it.each([
  ["nothing to do", "no open task"],
  ["- [x] done", "no open task"],
  ["- [ ] a\n  after: b", 'names "b", which is no task'],
  ["- [ ] a\n  after: 2\n- [ ] b\n  after: 1", "wait for each other: 1, 2"],
  ["- [ ] a\n  id: x\n- [ ] b\n  id: x", 'two tasks are called "x"'],
  ["- [ ] a\n  id: two words", "is no word for a task"],
  ["- [ ] a\n  check:", "has nothing behind it"],
])("says what is wrong with %j", (text, said) => {
  expect(() => parseTaskFile(text)).toThrow(said);
});
