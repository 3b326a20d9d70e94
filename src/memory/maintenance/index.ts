export type { Diagnosis, DoctorWork, Finding } from "./check.ts";
export { copyMemory } from "./copy-memory.ts";
export { diagnose, repair } from "./diagnose.ts";
export { exportDatabase } from "./export-database.ts";
export { importDatabase } from "./import-database.ts";
export { type Reindexed, reindex } from "./reindex.ts";
