import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openSandbox } from "../../src/agent/sandbox/open-sandbox.ts";

/**
 * Measures what each sandbox adds to the start of a command: `npx tsx bench/agent/confinement.ts`.
 */
const ROUNDS = 30;
const folder = await mkdtemp(join(homedir(), ".cairn-bench-"));
const [project, bin] = [join(folder, "project"), join(folder, "bin")];
await mkdir(project);
await mkdir(bin);
for (const name of ["sh", "bash", "git"]) await symlink(`/usr/bin/${name}`, join(bin, name));
const all = process.env.PATH ?? "";

for (const [name, setting, path] of [
  ["none", "off", all],
  ["bubblewrap", "auto", all],
  ["cairn's helper", "auto", bin],
] as const) {
  const sandbox = await openSandbox({
    ...{ setting, projectRoot: project, permissionRules: [], environment: { PATH: path } },
    ...{ userConfigDir: join(folder, "config"), dataDir: join(folder, "data") },
  });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const { command, finished } = await sandbox.wrap("true");
    await promisify(execFile)("sh", ["-c", command], { cwd: project });
    await finished?.();
    times.push(performance.now() - began);
  }
  await sandbox.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (ROUNDS - 1))] ?? 0).toFixed(1);
  console.log(`${name} (${sandbox.label}): p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}
await rm(folder, { recursive: true, force: true });
