export { createImportInput, type ImportInput, openImportInput } from "./import-input.ts";
export type { Importer, ImportOptions } from "./imported-record.ts";
export { importInWorker } from "./read-in-worker.ts";
export { guessImporter, importerNamed, importerNames } from "./registry.ts";
export {
  type ImportPlan,
  type ImportReport,
  type ImportWork,
  planImport,
  runImport,
} from "./run-import.ts";
export { writeChangeset } from "./write-changeset.ts";
