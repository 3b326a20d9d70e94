import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { takeProcessLock } from "../../src/shared/process-lock.ts";

/**
 * Child process: takes the lock repeatedly, leaves a stale lock in every second round, and logs
 * when two processes hold it. A stale lock is written to another file and renamed, because a lock
 * on disk is always complete.
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
  else {
    const written = `${path}.stale-${process.pid}`;
    writeFileSync(written, STALE.replace('""', JSON.stringify(own.token)));
    renameSync(written, path);
  }
}
