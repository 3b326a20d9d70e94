import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { editExternally } from "../../../src/terminal/session/edit-externally.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-editor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function editor(script: string): NodeJS.ProcessEnv {
  const path = join(folder, "editor.sh");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: process.env.PATH, EDITOR: `${path} --wait` };
}

it("returns the text as edited", () => {
  const env = editor('[ "$1" = --wait ] && echo "and more" >> "$2"');
  expect(editExternally("first\n", env)).toBe("first\nand more");
});

it("reports why the editor cannot be used", () => {
  expect(() => editExternally("x", editor("exit 3"))).toThrow("it ended with 3");
});
