import type { SyncResult } from "../../ingest/repository/index.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CommandLine } from "../command-line.ts";
import { withMemory } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";

export const sync: CliCommand = {
  name: "sync",
  reader: "person",
  summary: "Sync the project's memory with the files in .cairn/memory",
  group: "Memory",
  example: "cairn sync --dry-run\ncairn sync\ncairn sync --check",
  configure(command) {
    command
      .option("--dry-run", "show what would change without writing")
      .option("--check", "exit with 1 if a file is invalid or differs from memory")
      .option("--delete", "allow removing more than half of the memory");
  },
  run: (line, _args, options) =>
    withMemory(line, options, async (memory, { config }) => {
      const { checkFolder, MEMORY_FOLDER, syncRepository } = await import(
        "../../ingest/repository/index.ts"
      );
      const { locateSync } = await import("../sync/locate-sync.ts");
      const location = locateSync(line, config);
      const isCheck = options.check === true;
      const types = (await memory.execute("episode_types", {})).episode_types;
      if (isCheck && !(await memory.isThere())) {
        const { files, items } = checkFolder(location.root, types);
        line.stdout.write(
          createResult(options, { files, items }, `${items} items in ${files} files can be read.`),
        );
        return EXIT.ok;
      }
      if (isCheck) checkFolder(location.root, types);
      const synced = await syncRepository(memory, {
        ...{ root: location.root, dataDir: config.dataDir },
        database: JSON.stringify([memory.location, memory.name]),
        ...{ types: config.settings.sync.types, leave: config.settings.sync.leave },
        ...{ isTrusted: location.isTrusted, isDry: isCheck || options.dryRun === true },
        mayEmpty: options.delete === true,
        execute: { surface: "cli", ...(line.signal && { signal: line.signal }) },
      });
      if (!isCheck && options.dryRun !== true) location.settle();
      const isEqual = isEmptySync(synced);
      line.stdout.write(
        createResult(options, synced, describeSync(synced, options.dryRun === true || isCheck)),
      );
      printSyncNotes(line, synced, MEMORY_FOLDER);
      return isCheck && !isEqual ? EXIT.failed : EXIT.ok;
    }),
};

function createResult(
  options: Readonly<Record<string, unknown>>,
  value: object,
  text: string,
): string {
  return `${options.json === true ? JSON.stringify(value) : text}\n`;
}

const isEmptySync = ({ added, changed, removed, proposed, written, deleted }: SyncResult) =>
  [added, changed, removed, proposed, written, deleted].every((list) => list.length === 0);

function describeSync(synced: SyncResult, isDry: boolean): string {
  if (isEmptySync(synced)) return "Memory and files are in sync.";
  const { added, changed, removed, proposed, written, deleted, change } = synced;
  const would = isDry ? "would be " : "";
  const memory = [
    ...formatCount(added, `${would}remembered`),
    ...formatCount(changed, `${would}changed`),
    ...formatCount(removed, `${would}deleted`),
    ...formatCount(proposed, `${would}proposed`),
  ];
  const files = [
    ...formatCount(written, `${would}written`),
    ...formatCount(deleted, `${would}removed`),
  ];
  return [
    ...(memory.length === 0 ? [] : [`Memory: ${memory.join(", ")}.`]),
    ...(files.length === 0
      ? []
      : [`Files: ${files.join(", ")}.`, ...written.map((path) => `  ${path}`)]),
    ...(change === null ? [] : [`\`cairn undo ${change}\` reverts the changes to the memory.`]),
  ].join("\n");
}

const formatCount = (list: readonly string[], noun: string) =>
  list.length === 0 ? [] : [`${list.length} ${noun}`];

function printSyncNotes(
  line: CommandLine,
  { disputed, proposed, withheld }: SyncResult,
  folder: string,
): void {
  if (disputed.length > 0) {
    line.stderr.write(
      `cairn: ${disputed.length} items differ between ${folder} and the memory (${disputed.join(", ")}). Both versions are stored; \`cairn list conflicts\` lists them.\n`,
    );
  }
  if (proposed.length > 0) {
    line.stderr.write(
      "cairn: The folder is not trusted, so its changes are proposals: `cairn list proposals` lists them, `cairn trust` accepts the folder.\n",
    );
  }
  if (withheld > 0) {
    line.stderr.write(`cairn: not exported, because private or containing a key: ${withheld}\n`);
  }
}
