import { expect, it } from "vitest";
import { findToolPreference } from "../../../src/memory/briefing/tool-preference.ts";
import { commandKey, parsePrograms } from "../../../src/memory/commands/parse-programs.ts";

it.each([
  ["Always use pnpm, never npm.", "npm", "other"],
  ["Always use pnpm, never npm.", "pnpm", "this"],
  ["Always use pnpm, never npm.", "yarn", undefined],
  ["This project uses pnpm.", "npm", "other"],
  ["The package manager is yarn", "npm", "other"],
  ["pnpm instead of npm, please", "npm", "other"],
  ["npm is not to be used: use pnpm", "npm", "other"],
  ["Don't use docker here, use podman", "docker", "other"],
  ["Bitte pnpm verwenden, nicht npm", "npm", "other"],
  ["依赖用 pnpm 安装，不要用 npm", "npm", "other"],
  ["Use `just` for all tasks", "make", "other"],
  ["Run vitest with --run", "jest", "other"],
  ["Run vitest with --run", "vitest", "this"],
  // Ordinary words, names of other tools, and narration.
  ["Always make small commits", "just", undefined],
  ["Use small functions, just like before", "make", undefined],
  ["We publish npm-check to the registry", "npm", undefined],
  ["The npm registry was slow yesterday", "npm", undefined],
  ["The npm registry was slow yesterday", "pnpm", undefined],
  ["Never push to main", "git", undefined],
  // Refers to a version, not to the tool.
  ["We decided to drop Python 2 support", "python", undefined],
  ["Never use node v18 again", "node", undefined],
] as const)("%s → %s: %s", (text, program, stance) => {
  expect(findToolPreference(text, program)).toBe(stance);
});

it.each([
  ["npm test", ["npm"]],
  ["cd web && CI=1 npx jest --watch src | tee out", ["cd", "npx", "jest", "tee"]],
  ["sudo /usr/bin/docker compose up -d", ["docker"]],
  ["python -m pytest tests; uv run ruff check .", ["python", "pytest", "uv", "ruff"]],
  ["node_modules/.bin/vitest run", ["vitest"]],
])("knows the programs of %s", (command, programs) => {
  expect(parsePrograms(command).map(({ program }) => program)).toEqual(programs);
});

it("recognizes a command regardless of flags", () => {
  expect(commandKey("npm run --silent build -- --watch")).toBe(commandKey("npm run build"));
  expect(commandKey("npm run build")).not.toBe(commandKey("npm run test"));
});
