import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { cliReference } from "../../scripts/cli-reference.ts";
import { operationSummariesSource } from "../../scripts/operation-summaries-source.ts";

it("lists in the help what the operations say of themselves (npm run docs)", () => {
  expect(readFileSync("src/cli/operation-summaries.ts", "utf8")).toBe(operationSummariesSource());
});

it("documents the commands as they are (npm run docs)", async () => {
  expect(readFileSync("docs/reference/cli.md", "utf8")).toBe(await cliReference());
});
