import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hasScreenReader } from "../../src/cli/command-line.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "cairn-home-"));
  mkdirSync(join(home, ".config", "cairn"), { recursive: true });
  mkdirSync(join(home, "project", ".cairn"), { recursive: true });
});

const asked = (env: Record<string, string> = {}, flag = false) => {
  const fixture = { env: { HOME: home, ...env }, cwd: join(home, "project") };
  return hasScreenReader({ ...fixture, reader: "person" }, flag);
};
const user = (content: object) =>
  writeFileSync(join(home, ".config", "cairn", "config.json"), JSON.stringify(content));

describe("screen-reader mode", () => {
  it("is enabled by flag, common variables or setting; off by default", async () => {
    expect(await asked()).toBe(false);
    expect(await asked({}, true)).toBe(true);
    expect(await asked({ ACCESSIBLE: "1" })).toBe(true);
    expect(await asked({ INK_SCREEN_READER: "true" })).toBe(true);
    expect(await asked({ VSCODE_A11Y_MODE: "1" })).toBe(true);
    expect(await asked({ ACCESSIBLE: "0", VSCODE_A11Y_MODE: "" })).toBe(false);
    expect(await asked({ CAIRN_SCREEN_READER: "true" })).toBe(true);
    user({ screenReader: true });
    expect(await asked()).toBe(true);
  });

  it("follows the user's setting over the terminal and ignores projects", async () => {
    user({ screenReader: false });
    expect(await asked({ ACCESSIBLE: "1" })).toBe(false);
    user({});
    const project = join(home, "project", ".cairn", "config.json");
    writeFileSync(project, JSON.stringify({ screenReader: true }));
    expect(await asked()).toBe(false);
  });
});
