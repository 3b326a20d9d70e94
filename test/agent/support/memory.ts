import { join } from "node:path";
import { onTestFinished } from "vitest";
import { SqliteDatabase } from "../../../src/database/index.ts";
import { createOperations, type Memory, openMemory } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import type { TestProject } from "./project.ts";

export function openTestMemory(project: TestProject, name = "default"): Memory {
  const memory = openMemory({
    name,
    database: new SqliteDatabase({ path: join(project.userConfigDir, `${name}.db`) }),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
    readsAsEmpty: true,
  });
  onTestFinished(() => memory.close());
  return memory;
}
