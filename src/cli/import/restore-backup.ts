import { readLines } from "../../shared/read-lines.ts";
import type { CommandLine, GlobalOptions } from "../command-line.ts";
import { withMemory } from "../command-line.ts";
import { embedStoredItems } from "../embed-stored-items.ts";
import { withProgress } from "../render/progress.ts";

export function restoreBackup(
  line: CommandLine,
  chunks: AsyncIterable<Uint8Array>,
  options: GlobalOptions & { readonly vectors?: unknown },
): Promise<void> {
  return withMemory(line, options, async (memory) => {
    const { importDatabase } = await import("../../memory/index.ts");
    const rows = await withProgress(line, (onProgress) =>
      importDatabase(memory, readLines(chunks), {
        signal: line.signal,
        onProgress,
        onIncomplete: (sentence) => line.logger.warn(sentence),
      }),
    );
    if (options.json === true) {
      line.stdout.write(`${JSON.stringify({ database: memory.name, rows })}\n`);
    } else {
      line.stdout.write(`Imported ${rows} rows into the database "${memory.name}".\n`);
    }
    if (options.vectors !== false) await embedStoredItems(line, memory, "The import is complete");
  });
}
