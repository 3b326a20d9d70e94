import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { takeProcessLock } from "../../src/shared/process-lock.ts";

/**
 * Started as a process of its own: tries for a lock again and again, each time leaving it behind
 * stale half of the time, and writes down every moment in which somebody else had it, too.
 */
const [, , path = "", log = "", rounds = "1"] = process.argv;
const STALE = JSON.stringify({ pid: process.pid, identity: "another start", token: "" });

for (let round = 0; round < Number(rounds); round += 1) {
  const lock = takeProcessLock(path);
  if (!("release" in lock)) continue;
  try {
    writeFileSync(`${path}.inside`, String(process.pid), { flag: "wx" });
    for (let spin = 0; spin < 2_000; spin += 1) Math.sqrt(spin);
    rmSync(`${path}.inside`);
  } catch {
    appendFileSync(log, "twice\n");
  }
  appendFileSync(log, "held\n");
  const own = JSON.parse(readFileSync(path, "utf8")) as { token: string };
  if (round % 2 === 0) lock.release();
  else writeFileSync(path, STALE.replace('""', JSON.stringify(own.token)));
}
