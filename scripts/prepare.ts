/**
 * Builds the programs unless the build is newer than all sources. npm runs this after `npm ci`,
 * and again for `npm link` and `npm pack`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const SOURCES = [
  "src",
  "scripts",
  "examples",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

function findNewest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(path).map((name) => findNewest(join(path, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

const built = statSync("dist/main.js", { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (Math.max(...SOURCES.map(findNewest)) > built) {
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
}
