export type { ExportedFile, Exporter, ExportOptions } from "./exported-memory.ts";
export { ExportedMemory, type ExportFilter } from "./exported-memory.ts";
export { exporterNamed } from "./registry.ts";
