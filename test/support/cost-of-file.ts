import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";

/** A tick of /proc/self/stat in milliseconds. */
const TICK_MS = 10;

/** Milliseconds of processor time: of this process, and of the children of it that have ended. */
function spent(): { own: number; children: number } {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  const [ofChildren = 0, inKernel = 0] = fields.slice(13, 15).map(Number);
  return { own: (user + system) / 1000, children: (ofChildren + inKernel) * TICK_MS };
}

const before = spent();

// With TEST_COSTS=<file>: one line for each test file. Wall time says little on a busy machine.
afterAll(() => {
  const { own, children } = spent();
  const file = relative(process.cwd(), expect.getState().testPath ?? "");
  const costs = [own - before.own, children - before.children].map(Math.round);
  appendFileSync(process.env.TEST_COSTS ?? "", `${costs.join("\t")}\t${file}\n`);
});
