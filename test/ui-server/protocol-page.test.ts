import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderUiProtocol } from "../../scripts/generate-ui-protocol.ts";

test("the reference page is the one that the schemas give", () => {
  const page = readFileSync("docs/reference/ui-protocol.md", "utf8");
  expect(page, "run: npx tsx scripts/generate-ui-protocol.ts").toBe(renderUiProtocol());
});
