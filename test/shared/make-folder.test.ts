import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../../src/shared/files.ts";

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("creates a private folder with parents, idempotently", () => {
  const folder = join(createFolder(), "a", "b", "c");
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it("reports the obstructing file", () => {
  const file = join(createFolder(), "file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "below")]) {
    expect(() => makeFolder(path)).toThrowError(
      expect.objectContaining({ code: "conflict", message: expect.stringContaining(file) }),
    );
  }
});

it("terminates on a symlink loop", () => {
  const link = join(createFolder(), "loop");
  symlinkSync(link, link);
  expect(() => makeFolder(join(link, "x"))).toThrowError(/Cannot create the folder/);
});

it.runIf(existsSync("/proc/self"))("terminates on a file system without mkdir", () => {
  expect(() => makeFolder("/proc/x/y")).toThrowError(
    expect.objectContaining({ code: "conflict", message: expect.stringContaining("/proc/x") }),
  );
});
