import { readFileSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { loadConfig, saveUserSettings } from "../../src/config/index.ts";
import { createConfigFolders } from "./config-folders.ts";

it("adds settings to the file, which only its owner can read", () => {
  const paths = createConfigFolders();
  paths.writeUser({ model: "old", editMode: "searchReplace" });
  const path = saveUserSettings(paths, { provider: "anthropic", model: "new", apiKey: "sk" });
  expect(path).toBe(paths.userFile);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadConfig(paths).settings).toMatchObject({
    provider: "anthropic",
    model: "new",
    editMode: "searchReplace",
  });
});

it("an invalid setting leaves the file unchanged", () => {
  const paths = createConfigFolders();
  paths.writeUser({ model: "old" });
  const before = readFileSync(paths.userFile, "utf8");
  expect(() => saveUserSettings(paths, { provider: "nobody" })).toThrowError(/"provider"/);
  expect(readFileSync(paths.userFile, "utf8")).toBe(before);
});
