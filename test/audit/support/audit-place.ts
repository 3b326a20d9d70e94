import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ServerAudit, type ServerEntry, serverAudit } from "../../../src/audit/index.ts";
import type { ChainPlace } from "../../../src/shared/chained-log/chain-place.ts";
import { readChain } from "../../../src/shared/chained-log/read-chain.ts";
import { silentLogger } from "../../../src/shared/logger.ts";

const DEFAULTS = { required: true, partBytes: 8 * 1024 * 1024, parts: 100 };

export interface AuditOfTest {
  readonly place: ChainPlace;
  readonly audit: ServerAudit;
  /** What the server's log was told. */
  readonly told: readonly string[];
  read(): Promise<{
    entries: readonly ServerEntry[];
    problem: string | undefined;
    notice: string | undefined;
  }>;
}

/** An audit in a folder of its own, which goes with the test unless it is of the whole file. */
export function auditOfTest(settings: Partial<typeof DEFAULTS> = {}): AuditOfTest {
  const folder = mkdtempSync(join(tmpdir(), "cairn-audit-"));
  const place = {
    file: join(folder, "log/audit.jsonl"),
    secondHead: join(folder, "config/head.json"),
  };
  const told: string[] = [];
  const logger = {
    ...silentLogger,
    info: (message: string) => told.push(message),
    error: (message: string) => told.push(message),
  };
  const audit = new ServerAudit({ place, settings: { ...DEFAULTS, ...settings }, logger });
  return { place, audit, told, read: () => readAll(place) };
}

export function removeWithTest({ place }: AuditOfTest): void {
  onTestFinished(() => rmSync(join(place.file, "../.."), { recursive: true, force: true }));
}

export async function readAll(place: ChainPlace) {
  const entries: ServerEntry[] = [];
  const { problem, notice } = await readChain(place, serverAudit, (entry) => entries.push(entry));
  return { entries, problem, notice };
}
