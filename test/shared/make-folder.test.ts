import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../../src/shared/files.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("makes a folder with those above it, for its owner alone, and again without harm", () => {
  const folder = join(place(), "a", "b", "c");
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it("names the file that is in the way", () => {
  const file = join(place(), "file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "below")]) {
    expect(() => makeFolder(path)).toThrowError(
      expect.objectContaining({ code: "conflict", message: expect.stringContaining(file) }),
    );
  }
});

it("ends where a link leads in a circle", () => {
  const link = join(place(), "loop");
  symlinkSync(link, link);
  expect(() => makeFolder(join(link, "x"))).toThrowError(/Cannot create the folder/);
});

it.runIf(existsSync("/proc/self"))("ends on a file system that takes no folders", () => {
  expect(() => makeFolder("/proc/x/y")).toThrowError(
    expect.objectContaining({ code: "conflict", message: expect.stringContaining("/proc/x") }),
  );
});
