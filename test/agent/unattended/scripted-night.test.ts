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
