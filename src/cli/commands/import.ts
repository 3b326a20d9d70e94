import type { CliCommand } from "../cli-command.ts";

export const importCommand: CliCommand = {
  name: "import",
  reader: "person",
  summary: "Import another tool's memory or a `cairn export` backup",
  group: "Upkeep",
  example:
    "cairn import ~/.claude/projects/-home-ada-shop/memory --dry-run\n" +
    "cairn import --from server-memory memory.jsonl\n" +
    "cairn import --from git\n" +
    "cairn import --from claude-code\n" +
    "cairn import backup.jsonl --db restored",
  interruptible: true,
  configure(command) {
    command
      .argument("[files...]", "files or folders; `-` or nothing reads standard input")
      .option(
        "--from <tool>",
        "memories of: server-memory, claude-code, markdown, remind, mem0, openmemory, claude-mem, basic-memory, graphiti, zep, letta, beads, chatgpt, jsonl or csv; guessed where it is clear. Sessions of this project in: claude-code, codex, gemini, qwen, opencode, goose, cursor, copilot or cline. git: its commits. decisions: its ADRs, changelog and AGENTS.md",
      )
      .option("--dry-run", "print the changeset that would be applied; write nothing")
      .option("--to-changeset <file>", "write the changeset to a file instead of applying it")
      .option("--as-facts", "statements about entities become facts, checked for collisions")
      .option("--conversations", "also import one line per conversation (chatgpt)")
      .option("--map <pairs>", "for jsonl and csv: content=COLUMN,by=COLUMN,occurred_at=COLUMN")
      .option("--no-vectors", "compute vectors at the next recall");
  },
  async run(line, files, options) {
    if (await isWrittenSource(files[0], options.from)) {
      const { importFromSource: importWritten } = await import("../import/import-sources.ts");
      for (const file of files.length === 0 ? [undefined] : files) {
        await importWritten(line, file, options);
      }
      return undefined;
    }
    const { openSource } = await import("../import/open-source.ts");
    for (const file of files.length === 0 ? [undefined] : files) {
      const { input, isExport } = await openSource(line, file);
      if (isExport && options.from === undefined) {
        const { restoreBackup } = await import("../import/restore-backup.ts");
        await restoreBackup(line, input.chunks(), options);
      } else {
        const { importSource } = await import("../import/import-source.ts");
        await importSource(line, { input, file }, options);
      }
    }
    return undefined;
  },
};

/** Histories and sessions are imported as sources; a folder of notes is imported as memories. */
async function isWrittenSource(file: string | undefined, from: unknown): Promise<boolean> {
  const { WRITTEN_SOURCES } = await import("../import/import-sources.ts");
  if (typeof from !== "string" || !WRITTEN_SOURCES.includes(from)) return false;
  if (from !== "claude-code" || file === undefined) return true;
  const { existsSync } = await import("node:fs");
  const { join } = await import("node:path");
  return file.endsWith(".jsonl") || !existsSync(join(file, "MEMORY.md"));
}
