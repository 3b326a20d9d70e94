export { heldImportInput, type ImportInput, openImportInput } from "./import-input.ts";
export type { Importer, ImportOptions } from "./importer.ts";
export { type MergeReport, mergeMemory } from "./merge-memory.ts";
export { type ImportPlan, planImport } from "./plan-import.ts";
export { guessImporter, importerNamed, importerNames } from "./registry.ts";
export { type ImportReport, type ImportWork, runImport } from "./run-import.ts";
export { writeChangeset } from "./write-changeset.ts";
