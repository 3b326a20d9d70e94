import { expect, it } from "vitest";
import { parseTaskFile } from "../../../src/agent/unattended/parse-task-file.ts";
import { textsOf } from "../../support/blocks-of-pages.ts";

it("the list of the guide is read as the guide says", () => {
  const [list = ""] = textsOf("docs/guides/unattended.md", "md");
  const { checks, tasks } = parseTaskFile(list);
  expect(checks).toEqual(["npm test"]);
  expect(tasks.map(({ id, after, checks: own }) => [id, after, own])).toEqual([
    ["rename", [], []],
    ["2", ["rename"], ["npm run docs"]],
  ]);
  expect(tasks[0]?.details).toMatch(/^In the code, .* still works and warns\.$/s);
});
