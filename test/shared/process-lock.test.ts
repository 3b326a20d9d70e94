import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findLockHolder, takeProcessLock } from "../../src/shared/process-lock.ts";
import { raceForLock } from "../support/lock-race.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-lock-"));
  path = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("is held by one process until released", () => {
  const first = takeProcessLock(path);
  expect(takeProcessLock(path)).toEqual({ holderPid: process.pid });
  expect(findLockHolder(path)).toBe(process.pid);
  if ("release" in first) first.release();
  expect(findLockHolder(path)).toBeUndefined();
  expect(takeProcessLock(path)).toHaveProperty("release");
  expect(readdirSync(folder)).toEqual(["lock"]);
});

it.each([
  ["a process that is gone", { pid: 2 ** 22 + 1, identity: "x", token: "t" }],
  ["a process whose id another one has now", { pid: process.pid, identity: "x", token: "t" }],
])("of %s is taken over", (_name, holder) => {
  writeFileSync(path, JSON.stringify(holder));
  expect(findLockHolder(path)).toBeUndefined();
  expect(takeProcessLock(path)).toHaveProperty("release");
});

it("that is an empty file is taken over", () => {
  writeFileSync(path, "");
  expect(takeProcessLock(path)).toHaveProperty("release");
});

it("is never held twice under contention", async () => {
  const { codes, errors, held, twice } = await raceForLock(4, 500);
  expect({ codes, errors }).toEqual({ codes: [0, 0, 0, 0], errors: "" });
  expect(held).toBeGreaterThan(20);
  expect(twice).toBe(0);
}, 180_000);
