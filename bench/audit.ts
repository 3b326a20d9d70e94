/**
 * What the audit of a server takes for each request: time of the processor, which other work on the
 * machine hardly stretches, and the wait by the clock.
 *
 *   npx tsx bench/audit.ts [--requests 2000]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ServerAudit } from "../src/audit/index.ts";
import { silentLogger } from "../src/shared/logger.ts";
import { printTable } from "./support/print-table.ts";

const { values } = parseArgs({ options: { requests: { type: "string", default: "2000" } } });
const REQUESTS = Number(values.requests);

const folder = mkdtempSync(join(tmpdir(), "cairn-bench-audit-"));
const audit = new ServerAudit({
  place: { file: join(folder, "log/audit.jsonl"), secondHead: join(folder, "head.json") },
  settings: { required: true, partBytes: 8 * 1024 * 1024, parts: 100 },
  logger: silentLogger,
});
const note = () =>
  audit.note({
    ...{ from: "rest", outcome: "answered", status: 200, caller: "ada", by: "token" },
    ...{ route: "POST /api/v1/query", operation: "recall", database: "team" },
  });

const rows: (readonly (string | number)[])[] = [];
for (const clients of [1, 32]) {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const client = async () => {
    for (let at = 0; at < REQUESTS / clients; at += 1) await note();
  };
  await Promise.all(Array.from({ length: clients }, client));
  const { user, system } = process.cpuUsage(cpu);
  const wait = ((performance.now() - begun) * clients) / REQUESTS;
  rows.push([clients, ((user + system) / 1_000 / REQUESTS).toFixed(3), wait.toFixed(2)]);
}
printTable(["clients", "ms of the processor", "ms waited"], rows);
rmSync(folder, { recursive: true, force: true });
