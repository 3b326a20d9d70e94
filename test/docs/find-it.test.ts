import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Questions of a new contributor, the file they open first, and what it must contain. */
const GUESSES: readonly (readonly [task: string, file: string, found: RegExp])[] = [
  ["the formula of the ranking", "src/memory/recall/relevance.ts", /Math\.exp\(-sum/],
  ["the default port", "src/shared/package.ts", /DEFAULT_PORT = \d+/],
  ["which secrets are found", "src/memory/secrets/find-secrets.ts", /export async function/],
  ["how old a thing is said to be", "src/shared/time.ts", /export function \w*[aA]ge/],
  ["the price of a model", "src/llm/price.ts", /export function computeCost/],
  ["the pragmas of SQLite", "src/database/sqlite/open-connection.ts", /pragma\("foreign_keys/],
  ["how long an episode may be", "src/memory/input/limits.ts", /Chars: [\d_]+/],
  ["what undo takes back", "src/agent/checkpoints/restore-files.ts", /export/],
  ["the keys of the list on the page", "src/web/screens/find/find-screen.tsx", /"j"/],
  [
    "what a token that approves may send",
    "src/server/ui/client-session.ts",
    /"permission\.answer"/,
  ],
  ["what becomes of a typed message", "src/agent/threads/message-handler.ts", /async handle\(/],
];

it.each(GUESSES)("%s is in %s", (_task, file, found) => {
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, "utf8")).toMatch(found);
});
