import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderSettings } from "../../scripts/reference/settings.ts";
import { describeConfig, loadConfig } from "../../src/config/index.ts";

it("the reference page matches the settings", () => {
  const page = readFileSync("docs/reference/settings.md", "utf8");
  expect(page, "run: npx tsx scripts/reference/settings.ts").toBe(renderSettings());
});

it("every setting has a description", () => {
  const settings = describeConfig(
    loadConfig({ env: { HOME: "/nowhere" }, cwd: "/nowhere", reader: "person" }),
  );
  const silent = settings.filter(({ description }) => description === "").map(({ key }) => key);
  expect(silent).toEqual([]);
});
