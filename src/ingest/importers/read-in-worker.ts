import { CairnError } from "../../shared/errors.ts";
import { streamFromWorker } from "../../shared/worker.ts";
import type { ImportedRecord, ImportOptions } from "./imported-record.ts";

export const RECORDS_PER_BATCH = 1_000;
const IMPORT_WORKER = new URL("./import.worker.ts", import.meta.url);
const READ_TIMEOUT_MS = 30_000;
const MAX_HEAP_MB = 512;

export interface ImportText {
  readonly from: string;
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly options: ImportOptions;
}

/**
 * Parses untrusted text in a worker so that it cannot block the event loop. Throws the importer's
 * invalid_input, busy or too_large.
 */
export async function* importInWorker(
  text: ImportText,
  signal: AbortSignal | undefined,
): AsyncGenerator<ImportedRecord> {
  try {
    yield* streamFromWorker<ImportedRecord>({
      source: IMPORT_WORKER,
      data: text,
      signal,
      timeoutMs: READ_TIMEOUT_MS,
      tooLong: `text: parsing took longer than ${READ_TIMEOUT_MS / 1000} s; import it in parts, or with \`cairn import\``,
      maxHeapMb: MAX_HEAP_MB,
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"))
      throw error;
    throw new CairnError(
      "too_large",
      "text: parsing needs too much memory; import it in parts, or with `cairn import`",
    );
  }
}
