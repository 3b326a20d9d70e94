import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { requireExisting, withMemory } from "../command-line.ts";
import { EXIT, Interrupted } from "../exit-code.ts";
import { withProgress } from "../render/progress.ts";

export const reindex: CliCommand = {
  name: "reindex",
  reader: "person",
  summary: "Rebuild the text index and vectors",
  group: "Upkeep",
  example: "cairn reindex\ncairn reindex --missing",
  interruptible: true,
  configure(command) {
    command.option("--missing", "compute only missing vectors, such as after an interruption");
  },
  run: (line, _args, options) =>
    withMemory(line, options, async (memory) => {
      await requireExisting(memory);
      const engine = await import("../../memory/index.ts");
      try {
        const { made, missing } = await withProgress(line, (onProgress) =>
          engine.reindex(memory, {
            signal: line.signal,
            onProgress,
            onlyMissing: options.missing === true,
          }),
        );
        const { enabled } = memory.vectors;
        if (options.json === true) {
          line.stdout.write(`${JSON.stringify({ made, missing, embedder: enabled })}\n`);
        } else {
          line.stdout.write(`${describeReindexed(made, missing, enabled)}\n`);
        }
        return missing > 0 ? EXIT.failed : EXIT.ok;
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        return printInterrupted(line, await memory.vectors.countPending());
      }
    }),
};

function describeReindexed(created: number, missing: number, hasEmbedder: boolean): string {
  if (!hasEmbedder)
    return "Rebuilt the text index. No embedder is configured, so there are no vectors.";
  const vectors = created === 1 ? "1 vector" : `${created} vectors`;
  if (missing > 0) return `Computed ${vectors}; ${missing} are still missing.`;
  return `Computed ${vectors}; none are missing.`;
}

function printInterrupted(line: CommandLine, missing: number): number {
  line.logger.info(
    `interrupted. Finished vectors are stored; ${missing} are missing. Continue with: cairn reindex --missing`,
  );
  return EXIT.interrupted;
}
