// @module-tag long: a night of processes that are killed.
import { expect, it } from "vitest";
import { patiently } from "../../support/patiently.ts";
import { scriptedNight } from "./support/scripted-night.ts";

it(
  "a short night of faults ends every task, none twice, within the money, and leaves the project",
  async () => {
    const night = await scriptedNight({ tasks: 6, faults: 24, seed: 7 });
    expect(night).toMatchObject({ untold: [], wrong: [], twice: [], project: "begin\n" });
    expect(night.standing).toEqual({ done: 5, failed: 1 });
    expect(night.billed).toBeLessThanOrEqual(night.limit);
    expect(night.spent).toBeGreaterThanOrEqual(night.billed - 1e-9);
    expect(night.starts).toBeGreaterThan(2);
  },
  patiently(180_000),
);

it(
  "a night of faults with too little money ends by that limit, near it, and not a cent over it",
  async () => {
    const usage = { input: 30_000, output: 9_000 };
    const night = await scriptedNight({ tasks: 8, faults: 12, seed: 11, limit: 2.5, usage });
    expect(night).toMatchObject({ wrong: [], twice: [], project: "begin\n" });
    expect(night.endedBy).toMatch(/of \$2.5 is spent, and the next request may cost/);
    expect(night.billed).toBeLessThanOrEqual(night.limit);
    // What was cut off may have cost something, and counts as if it had.
    expect(night.spent).toBeGreaterThanOrEqual(night.billed - 1e-9);
    expect(night.spent).toBeLessThanOrEqual(night.limit);
    expect(night.spent).toBeGreaterThan(night.limit * 0.6);
  },
  patiently(180_000),
);
