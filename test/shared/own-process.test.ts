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

describe("a process that is asked one thing", () => {
  it("tells its notes and its answer, and is gone", async () => {
    const notes: unknown[] = [];
    const onNote = (note: unknown) => notes.push(note);
    const answer = await runOwnProcess(PROGRAM, { what: "count" }, { onNote });
    expect(notes).toEqual([1, 2, 3]);
    expect(isAlive((answer as { pid: number }).pid)).toBe(false);
  });

  it("refuses in the words of the program", async () => {
    await expect(runOwnProcess(PROGRAM, { what: "refuse" })).rejects.toMatchObject({
      name: "CairnError",
      code: "invalid_input",
      message: "what: is wrong",
      details: { field: "what" },
    });
    await expect(runOwnProcess(PROGRAM, { what: "fail" })).rejects.toThrow("the disk is gone");
  });

  it("is known to have ended without an answer", async () => {
    await expect(runOwnProcess(PROGRAM, { what: "die" })).rejects.toThrow(
      new ProcessEnded("it ended with 3"),
    );
  });

  it("ends when nobody wants its answer any longer", async () => {
    const stop = new AbortController();
    const onNote = () => stop.abort(new Error("no longer wanted"));
    const asked = runOwnProcess(PROGRAM, { what: "wait" }, { signal: stop.signal, onNote });
    await expect(asked).rejects.toThrow("no longer wanted");
    const late = runOwnProcess(PROGRAM, { what: "count" }, { signal: stop.signal });
    await expect(late).rejects.toThrow("no longer wanted");
  });

  it("is known not to have started", async () => {
    const { execPath } = process;
    process.execPath = "/nowhere/node";
    try {
      const asked = runOwnProcess(PROGRAM, { what: "count" });
      await expect(asked).rejects.toBeInstanceOf(ProcessEnded);
    } finally {
      process.execPath = execPath;
    }
  });
});
