import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderMcp } from "../../scripts/generate-mcp.ts";
import { renderOperations } from "../../scripts/generate-operations.ts";
import { renderRest } from "../../scripts/generate-rest.ts";
import { createOperations } from "../../src/memory/index.ts";

test.each([
  ["operations", renderOperations],
  ["rest", renderRest],
  ["mcp", renderMcp],
] as const)("docs/reference/%s.md is the page that the registry gives", (name, render) => {
  const page = readFileSync(`docs/reference/${name}.md`, "utf8");
  expect(page, `run: npx tsx scripts/generate-${name}.ts`).toBe(render(createOperations()));
});
