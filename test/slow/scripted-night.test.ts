import { expect, it } from "vitest";
import { scriptedNight } from "../agent/unattended/support/scripted-night.ts";

it("a night of 30 tasks and 200 faults ends every task, none twice, within the money", async () => {
  const night = await scriptedNight({ tasks: 30, faults: 200, seed: 20_261_125 });
  process.stderr.write(`${JSON.stringify({ ...night, wrong: night.wrong.length })}\n`);
  expect(night).toMatchObject({ untold: [], wrong: [], twice: [], project: "begin\n" });
  expect(night.standing).toEqual({ done: 27, failed: 3 });
  expect(night.billed).toBeLessThanOrEqual(night.limit);
  expect(night.spent).toBeGreaterThanOrEqual(night.billed - 1e-9);
}, 3_600_000);
