import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { listFolder, makeFolder } from "../shared/files.ts";
import { isAlive } from "../shared/process-lock.ts";

export interface RecordedAgent {
  readonly url: string;
  readonly cwd: string;
  readonly secret: string;
}

const agentRecord = z.object({ url: z.string(), cwd: z.string(), secret: z.string() });

export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Writes a file readable only by the user and hidden from sandboxed commands. Returns a function
 * that removes it.
 */
export function recordAgent(dataDir: string, agent: RecordedAgent): () => void {
  const folder = tokensFolder(dataDir);
  makeFolder(folder);
  const file = join(folder, `agent-${process.pid}.json`);
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(agent), { mode: 0o600, flag: "wx" });
  return () => rmSync(file, { force: true });
}

export function readRecordedAgents(dataDir: string): readonly RecordedAgent[] {
  const folder = tokensFolder(dataDir);
  return listFolder(folder).flatMap((name) => {
    const pid = /^agent-(\d+)\.json$/.exec(name)?.[1];
    if (pid === undefined) return [];
    const file = join(folder, name);
    if (isAlive(Number(pid))) return readRecord(file);
    rmSync(file, { force: true });
    return [];
  });
}

function tokensFolder(dataDir: string): string {
  return join(dataDir, "tokens");
}

function readRecord(file: string): readonly RecordedAgent[] {
  try {
    const { data } = agentRecord.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return data === undefined ? [] : [data];
  } catch {
    return [];
  }
}
