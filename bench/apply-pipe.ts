/**
 * Pipes a changeset of any length into `cairn apply` and prints the seconds and the peak memory of
 * the command. Run `npm run build` first. Linux only.
 *
 *   npx tsx bench/apply-pipe.ts [LINES]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { packageRoot } from "../src/shared/package.ts";

const lines = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
if (!existsSync(join(packageRoot(), "dist", "main.js")))
  throw new Error("Run `npm run build` first.");

function* generateChangeset(): Generator<string> {
  for (let line = 0; line < lines; line += 1) {
    yield `remember "Note number ${line} tells of the word w${(line * 7919) % 100_003}"\n`;
  }
}

try {
  const began = performance.now();
  const apply = spawn(
    process.execPath,
    [join(packageRoot(), "bin", "cairn.js"), "apply", "--data-dir", folder, "--json"],
    {
      env: { ...process.env, HOME: folder, CAIRN_EMBEDDING_PROVIDER: "none" },
      stdio: ["pipe", "inherit", "ignore"],
    },
  );
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, readResidentMb(apply.pid));
  }, 200);
  await Promise.all([
    pipeline(Readable.from(generateChangeset()), apply.stdin),
    once(apply, "close"),
  ]);
  clearInterval(watching);
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`${lines} lines: ${seconds.toFixed(1)} s, peak ${most} MB\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function readResidentMb(pid: number | undefined): number {
  const status = `/proc/${pid}/status`;
  const text = existsSync(status) ? readFileSync(status, "utf8") : "";
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024);
}
