import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Journal, readJournal } from "../../../src/agent/unattended/journal.ts";
import type { NightEntry } from "../../../src/agent/unattended/night-entry.ts";
import { spentOf, stateOf } from "../../../src/agent/unattended/night-state.ts";
import { TestClock } from "../../../src/testing/index.ts";
import { begun } from "./support/begun.ts";

function place() {
  const folder = mkdtempSync(join(tmpdir(), "cairn-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "night", "journal.jsonl");
  const open = () => {
    const entries: NightEntry[] = [];
    const journal = new Journal(file, new TestClock(), (entry) => entries.push(entry));
    return { journal, entries };
  };
  return { file, open };
}

it("cuts off half a line that a machine left, at whatever byte it went down", () => {
  const { file, open } = place();
  const first = open();
  first.journal.add(begun("1", "2"));
  const whole = readFileSync(file).length;
  first.journal.add({ is: "started", task: "1", copy: "n-1" });
  first.journal.close();
  const all = readFileSync(file);
  for (let cut = whole; cut <= all.length; cut += 1) {
    writeFileSync(file, all.subarray(0, cut));
    const again = open();
    expect(again.entries).toHaveLength(cut === all.length ? 2 : 1);
    again.journal.add({ is: "noted", text: "on" });
    again.journal.close();
    const { entries } = readJournal(file);
    expect(entries.at(-1)).toMatchObject({ is: "noted", text: "on" });
    expect(entries).toHaveLength(cut === all.length ? 3 : 2);
  }
});

it("says which line of a journal somebody has changed", () => {
  const { file, open } = place();
  const { journal } = open();
  journal.add(begun("1"));
  journal.close();
  appendFileSync(file, '{"at":"x","is":"paid"}\n');
  expect(() => open()).toThrow(/line 2 cannot be read/);
});

it("counts a request once, and one without an answer as the most that it may cost", () => {
  const reserved = { inputTokens: 100, outputTokens: 900, dollars: 1 };
  const used = { inputTokens: 80, outputTokens: 20, dollars: 0.25 };
  const at = "2026-01-01T00:00:00.000Z";
  const state = stateOf([
    { at, ...begun("1") },
    { at, is: "requested", task: "1", request: "a", reserved },
    { at, is: "requested", task: "1", request: "b", reserved },
    { at, is: "counted", task: "1", request: "a", used, ok: true },
    { at, is: "counted", task: "1", request: "a", used, ok: true },
  ]);
  expect(state && spentOf(state)).toEqual({
    inputTokens: 180,
    outputTokens: 920,
    dollars: 1.25,
    unknown: { requests: 1, dollars: 1 },
  });
});

it("makes no state before the first entry, which is the beginning", () => {
  expect(stateOf([])).toBeUndefined();
  const at = "2026-01-01T00:00:00.000Z";
  expect(() => stateOf([{ at, is: "noted", text: "x" }])).toThrow(/begins with "noted"/);
});
