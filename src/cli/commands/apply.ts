import type { CliCommand } from "../cli-command.ts";
import { withMemory } from "../command-line.ts";

/**
 * Not derived from its operation: it reads a file or standard input of any length, shows progress
 * and computes embeddings.
 */
export const apply: CliCommand = {
  name: "apply",
  reader: "person",
  summary: "Write a changeset: many ops, all or nothing",
  group: "Memory",
  shelf: "everyday",
  example: "cairn apply changes.txt\ncairn apply --dry-run < changes.txt\nmake-ops | cairn apply -",
  interruptible: true,
  configure(command) {
    command
      .argument("[file]", "file with the changeset; `-` or nothing reads standard input")
      .option("--dry-run", "validate without writing")
      .option(
        "--atomic",
        "reject changesets too large for one transaction (default: apply in parts)",
      )
      .option(
        "--idempotency-key <key>",
        "apply a changeset at most once under this key, and resume it after an interruption",
      )
      .option("--no-vectors", "compute vectors at the next recall");
  },
  run: (line, [file], options) =>
    withMemory(line, options, async (memory, app) => {
      const { runApply } = await import("../apply/run-apply.ts");
      const { session, maxChangesetOps } = app.config.settings;
      const { atomic, dryRun, idempotencyKey, json, vectors } = options;
      await runApply(file, {
        ...{ line, memory, session, maxChangesetOps },
        isAtomic: atomic === true,
        isDryRun: dryRun === true,
        key: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
        asJson: json === true,
        withVectors: vectors !== false,
      });
      return undefined;
    }),
};
