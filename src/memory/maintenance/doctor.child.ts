import { SqliteDatabase } from "../../database/index.ts";
import { answerParent } from "../../kernel/answer-parent.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { openMemory } from "../open-memory.ts";
import { diagnose, repair } from "./diagnose.ts";
import type { DoctorQuestion } from "./doctor-process.ts";

/** Looks over a database, or mends it, for a process that goes on answering others meanwhile. */
answerParent(async ({ task, path, name }: DoctorQuestion, onProgress) => {
  const memory = openMemory({
    name,
    database: new SqliteDatabase({ path }),
    embedder: undefined,
    operations: new Map(),
    logger: silentLogger,
  });
  try {
    return await (task === "repair" ? repair : diagnose)(memory, { onProgress });
  } finally {
    await memory.close();
  }
});
