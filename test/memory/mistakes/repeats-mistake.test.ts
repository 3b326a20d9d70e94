import { expect, it } from "vitest";
import { repeatsMistake } from "../../../src/memory/operations/read/mistakes.ts";

const refused = { how: "refused", wanted: "Use pnpm here." } as const;
const cured = { how: "cured", wanted: "npm ci" } as const;

it.each([
  ["npm install left-pad", "npm install right-pad"],
  ["npm install left-pad", "cd web && npm install right-pad"],
  ["npm install left-pad", "sudo CI=1 npm install right-pad"],
  ["git push --force origin main", "git push --force origin main 2>&1"],
])("%s is done again by %s", (command, again) => {
  expect(repeatsMistake({ command: again }, { ...refused, command })).toBe(true);
});

it.each([
  ["npm install left-pad", "npm test"],
  ["git push --force origin main", "git push origin main"],
  ["cd web", "cd docs"],
])("%s is not done again by %s", (command, other) => {
  expect(repeatsMistake({ command: other }, { ...refused, command })).toBe(false);
});

it("matches a failed command exactly, ignoring redirection", () => {
  const failed = { ...cured, command: "npm test 2>&1" };
  expect(repeatsMistake({ command: "make 2>&1" }, failed)).toBe(false);
  expect(repeatsMistake({ command: "npm test 2>&1 | tail" }, failed)).toBe(true);
});
