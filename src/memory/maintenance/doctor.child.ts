import { SqliteDatabase } from "../../database/index.ts";
import { silentLogger } from "../../shared/logger.ts";
import { respondToParent } from "../../shared/own-process.ts";
import { openMemory } from "../open-memory.ts";
import type { DoctorQuestion } from "./check.ts";
import { diagnose, repair } from "./diagnose.ts";
import { rebuildSearchIndexes } from "./reindex.ts";

const DOCTOR_TASKS = { diagnose, repair, rebuildSearchIndexes };

respondToParent(async ({ task, path, name }: DoctorQuestion, onProgress) => {
  const memory = openMemory({
    name,
    database: new SqliteDatabase({ path }),
    embedder: undefined,
    operations: new Map(),
    logger: silentLogger,
  });
  try {
    return await DOCTOR_TASKS[task](memory, { onProgress });
  } finally {
    await memory.close();
  }
});
