import { describe, expect, it } from "vitest";
import { ProcessEnded, runOwnProcess } from "../../src/shared/own-process.ts";

const PROGRAM = new URL("../support/own-process.child.ts", import.meta.url);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a single-request process", () => {
  it("sends notes and result, and exits", async () => {
    const notes: unknown[] = [];
    const onNote = (note: unknown) => notes.push(note);
    const answer = await runOwnProcess(PROGRAM, { what: "count" }, { onNote });
    expect(notes).toEqual([1, 2, 3]);
    expect(isAlive((answer as { pid: number }).pid)).toBe(false);
  });

  it("rejects with the program's error", async () => {
    await expect(runOwnProcess(PROGRAM, { what: "refuse" })).rejects.toMatchObject({
      name: "CairnError",
      code: "invalid_input",
      message: "what: is wrong",
      details: { field: "what" },
    });
    await expect(runOwnProcess(PROGRAM, { what: "fail" })).rejects.toThrow("the disk is gone");
  });

  it("rejects if it exits without a result", async () => {
    await expect(runOwnProcess(PROGRAM, { what: "die" })).rejects.toThrow(
      new ProcessEnded("it ended with 3"),
    );
  });

  it("ends on abort", async () => {
    const stop = new AbortController();
    const onNote = () => stop.abort(new Error("no longer wanted"));
    const pending = runOwnProcess(PROGRAM, { what: "wait" }, { signal: stop.signal, onNote });
    await expect(pending).rejects.toThrow("no longer wanted");
    const late = runOwnProcess(PROGRAM, { what: "count" }, { signal: stop.signal });
    await expect(late).rejects.toThrow("no longer wanted");
  });

  it("rejects if it cannot start", async () => {
    const { execPath } = process;
    process.execPath = "/nowhere/node";
    try {
      const pending = runOwnProcess(PROGRAM, { what: "count" });
      await expect(pending).rejects.toBeInstanceOf(ProcessEnded);
    } finally {
      process.execPath = execPath;
    }
  });
});
