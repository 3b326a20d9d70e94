import { type Logger, silentLogger } from "../../shared/logger.ts";
import { findRecords, ThreadFiles } from "./thread-record.ts";

export interface SessionSummary {
  readonly threadId: string;
  readonly title?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly messageCount: number;
  readonly parent?: string;
}

export async function listSessions({
  dataDir,
  projectRoot,
  logger = silentLogger,
}: {
  readonly dataDir: string;
  readonly projectRoot: string;
  readonly logger?: Logger;
}): Promise<readonly SessionSummary[]> {
  const now = () => new Date().toISOString();
  const files = new ThreadFiles(dataDir, projectRoot);
  const records = await findRecords({ files, now, logger });
  return records
    .map(({ state }) => state)
    .filter(({ messageCount }) => messageCount > 0)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .map(({ threadId, title, createdAt, updatedAt, messageCount, parent }) => ({
      threadId,
      ...(title !== undefined && { title }),
      createdAt,
      updatedAt,
      messageCount,
      ...(parent !== undefined && { parent }),
    }));
}
