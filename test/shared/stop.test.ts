import { describe, expect, it } from "vitest";
import { Stop } from "../../src/shared/deadline.ts";

function clockAt(start: number) {
  const state = { ms: start };
  return { clock: { now: () => new Date(state.ms) }, pass: (ms: number) => (state.ms += ms) };
}

describe("a call that has a signal and a time", () => {
  it("rejects with the signal's reason", () => {
    const controller = new AbortController();
    const stop = new Stop({ signal: controller.signal, timeoutMs: 1_000 }, clockAt(0).clock);
    expect(stop.isOver).toBe(false);
    controller.abort(new Error("gone"));
    expect(stop.signal?.aborted).toBe(true);
    expect(() => stop.throwIfOver()).toThrow("gone");
    stop.done();
  });

  it("is over immediately if the signal is already aborted", () => {
    const stop = new Stop(
      { signal: AbortSignal.abort(new Error("gone")), timeoutMs: 1_000 },
      clockAt(0).clock,
    );
    expect(() => stop.throwIfOver()).toThrow("gone");
    stop.done();
  });

  it("reports its timeout regardless of later aborts", () => {
    const controller = new AbortController();
    const { clock, pass } = clockAt(0);
    const stop = new Stop({ signal: controller.signal, timeoutMs: 40 }, clock);
    pass(41);
    expect(stop.isOver).toBe(true);
    controller.abort(new Error("gone"));
    expect(() => stop.throwIfOver()).toThrow("Timed out after 40 ms");
    stop.done();
  });

  it("ignores its signal once finished", () => {
    const controller = new AbortController();
    const stop = new Stop({ signal: controller.signal, timeoutMs: 1_000 }, clockAt(0).clock);
    stop.done();
    controller.abort(new Error("gone"));
    expect(stop.isOver).toBe(false);
  });
});
