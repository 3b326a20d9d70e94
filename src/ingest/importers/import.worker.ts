import { streamToParent } from "../../shared/worker.ts";
import { createImportInput } from "./import-input.ts";
import type { ImportedRecord } from "./imported-record.ts";
import { type ImportText, RECORDS_PER_BATCH } from "./read-in-worker.ts";
import { importerNamed } from "./registry.ts";

await streamToParent<ImportText, ImportedRecord>(({ from, bytes, name, options }) => {
  return importerNamed(from).read(createImportInput(bytes, name), options);
}, RECORDS_PER_BATCH);
