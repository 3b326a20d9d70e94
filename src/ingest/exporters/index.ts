export { ExportedMemory, type ExportFilter } from "./exported-memory.ts";
export type { ExportedFile, Exporter, ExportOptions } from "./exporter.ts";
export { exporterNamed } from "./registry.ts";
