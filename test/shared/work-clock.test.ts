import { describe, expect, it } from "vitest";
import { Deadline, workClock } from "../../src/shared/deadline.ts";

function machine() {
  const time = { passed: 0, used: 0 };
  const clock = workClock({ passed: () => time.passed, used: () => time.used });
  return { time, deadline: new Deadline(clock, 300) };
}

describe("workClock", () => {
  it("allows the same work on a busy machine", () => {
    const { time, deadline } = machine();
    Object.assign(time, { passed: 2_000, used: 299 });
    expect(deadline.isPast).toBe(false);
    Object.assign(time, { passed: 2_010, used: 301 });
    expect(deadline.isPast).toBe(true);
  });

  it("advances while idle", () => {
    const { time, deadline } = machine();
    Object.assign(time, { passed: 2_990, used: 5 });
    expect(deadline.isPast).toBe(false);
    Object.assign(time, { passed: 3_010, used: 5 });
    expect(deadline.isPast).toBe(true);
  });

  it("never exceeds wall time with several threads", () => {
    const { time, deadline } = machine();
    Object.assign(time, { passed: 250, used: 900 });
    expect(deadline.isPast).toBe(false);
  });

  it("follows the process's CPU time", () => {
    const clock = workClock();
    const began = clock.now().getTime();
    const until = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < until);
    expect(clock.now().getTime() - began).toBeGreaterThanOrEqual(40);
  });
});
