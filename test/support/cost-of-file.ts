import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";

/** Milliseconds per tick of /proc/self/stat. */
const TICK_MS = 10;

/** Returns the CPU time of this process and of its exited children in milliseconds. */
function spent(): { own: number; children: number } {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  const [ofChildren = 0, inKernel = 0] = fields.slice(13, 15).map(Number);
  return { own: (user + system) / 1000, children: (ofChildren + inKernel) * TICK_MS };
}

const before = spent();

// With TEST_COSTS=<file>, appends one line per test file. CPU time, because wall time is
// unreliable on a busy machine.
afterAll(() => {
  const { own, children } = spent();
  const file = relative(process.cwd(), expect.getState().testPath ?? "");
  const costs = [own - before.own, children - before.children].map(Math.round);
  appendFileSync(process.env.TEST_COSTS ?? "", `${costs.join("\t")}\t${file}\n`);
});
