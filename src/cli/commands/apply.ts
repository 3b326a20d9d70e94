import type { CliCommand } from "../cli-command.ts";
import { withMemory } from "../open-app.ts";

/**
 * Derived commands take texts and numbers: this one reads a file or standard input of any length,
 * tells progress and makes vectors, all of it about changesets alone. So it calls that one operation
 * by its name, and the compiler checks what it gives.
 */
export const apply: CliCommand = {
  name: "apply",
  reader: "person",
  summary: "Write a changeset: many ops, all or nothing",
  group: "Memory",
  example: "cairn apply changes.txt\ncairn apply --dry-run < changes.txt\nmake-ops | cairn apply -",
  interruptible: true,
  configure(command) {
    command
      .argument("[file]", "file with the changeset; `-` or nothing reads standard input")
      .option("--dry-run", "validate everything, write nothing")
      .option(
        "--atomic",
        "refuse more ops than fit one transaction; they are applied in parts else",
      )
      .option(
        "--idempotency-key <key>",
        "the same key with the same changeset is applied once, and goes on where it stopped",
      )
      .option("--no-vectors", "leave the vectors to the next recall");
  },
  run: (line, [file], options) =>
    withMemory(line, options, async (memory, app) => {
      // What it needs of the memory is loaded only now: every command begins with this file.
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
