import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Lets several processes compete for one lock. Returns exit codes, errors, the number of
 * acquisitions and of simultaneous holders.
 */
export async function raceForLock(processes: number, rounds: number) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-lock-"));
  const [path, log] = [join(folder, "lock"), join(folder, "log")];
  writeFileSync(log, "");
  const script = join(import.meta.dirname, "race-for-lock.ts");
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ["--import", "tsx", script, path, log, String(rounds)], {
      stdio: ["ignore", "inherit", "pipe"],
    }),
  );
  let errors = "";
  for (const { stderr } of children) stderr.on("data", (text: Buffer) => (errors += text));
  const codes = await Promise.all(children.map(async (child) => (await once(child, "close"))[0]));
  const lines = readFileSync(log, "utf8").split("\n");
  rmSync(folder, { recursive: true, force: true });
  return {
    codes,
    errors,
    held: lines.filter((line) => line === "held").length,
    twice: lines.filter((line) => line === "twice").length,
  };
}
