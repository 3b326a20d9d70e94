/**
 * Time from installation to the first correct answer for a user with one file and no network:
 * installs the output of `npm run packages:offline` in an empty folder and queries what a session
 * contained.
 *
 *   npm run packages:offline -- cairn.tgz && npx tsx bench/newcomer.ts cairn.tgz
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ANSWER, walkNewcomerPath } from "./support/newcomer-path.ts";
import { printTable } from "./support/print-table.ts";

const file = resolve(process.argv[2] ?? "");
const root = mkdtempSync(join(tmpdir(), "cairn-newcomer-"));
try {
  const steps = await walkNewcomerPath(root, file);
  const asked = steps.filter(({ command }) => command.startsWith("cairn recall"));
  if (!asked.every(({ stdout }) => stdout.includes(ANSWER)))
    throw new Error("The recall does not return the answer.");
  printTable(
    ["command", "seconds"],
    steps.map(({ command, seconds }) => [command.replace(file, "FILE"), seconds.toFixed(1)]),
  );
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  console.log(`\n${steps.length} commands, ${seconds.toFixed(1)} s`);
  console.log(
    `package ${formatMegabytes(statSync(file).size)}, installed ${formatMegabytes(measureBytes(root))}`,
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}

function measureBytes(folder: string): number {
  return readdirSync(join(folder, "invoices/node_modules"), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
