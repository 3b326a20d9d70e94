import { readFileSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { loadConfig, saveUserSettings } from "../../src/config/index.ts";
import { createConfigFolders } from "./config-place.ts";

it("adds settings to the file, which only its owner can read", () => {
  const place = createConfigFolders();
  place.writeUser({ model: "old", editMode: "searchReplace" });
  const path = saveUserSettings(place, { provider: "anthropic", model: "new", apiKey: "sk" });
  expect(path).toBe(place.userFile);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadConfig(place).settings).toMatchObject({
    provider: "anthropic",
    model: "new",
    editMode: "searchReplace",
  });
});

it("an invalid setting leaves the file unchanged", () => {
  const place = createConfigFolders();
  place.writeUser({ model: "old" });
  const before = readFileSync(place.userFile, "utf8");
  expect(() => saveUserSettings(place, { provider: "nobody" })).toThrowError(/"provider"/);
  expect(readFileSync(place.userFile, "utf8")).toBe(before);
});
