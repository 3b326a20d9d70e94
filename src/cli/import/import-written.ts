import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { invalidInput } from "../../kernel/errors.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import {
  DECISIONS,
  markOf,
  newDecisions,
  readHistory,
  readSessions,
  SESSION_FOLDERS,
  type SourceBatch,
  sourceOfHistory,
  takeIn,
} from "../../sources/index.ts";
import type { CommandLine, GlobalOptions } from "../command-line.ts";
import { withMemory } from "../open-app.ts";
import { withProgress } from "../render/progress.ts";

/** What `--from` takes besides the importers: what is read on as a source. */
export const WRITTEN_SOURCES: readonly string[] = [
  "git",
  DECISIONS,
  ...Object.keys(SESSION_FOLDERS),
];

interface WrittenOptions extends GlobalOptions {
  readonly from?: unknown;
  readonly dryRun?: unknown;
}

/**
 * Reads on a git history, the files of decisions of a project, or all sessions of a client in this project, or those in a file or folder
 * that is named.
 */
export async function importWritten(
  line: CommandLine,
  given: string | undefined,
  options: WrittenOptions,
): Promise<void> {
  const from = String(options.from);
  if (options.dryRun === true) {
    throw invalidInput(
      "dry-run: sources are read on, not planned; `cairn sources` lists them and `cairn delete source:N` forgets one",
    );
  }
  await withMemory(line, options, async (memory) => {
    const read = await withProgress(line, async (onProgress) => {
      const count = { added: 0, sources: new Set<string>() };
      for await (const batch of batchesOf(line, memory, { from, given })) {
        line.signal.throwIfAborted();
        const added = await takeIn(memory, batch, { signal: line.signal, surface: "cli" });
        if (added > 0) count.sources.add(batch.key);
        count.added += added;
        onProgress({ stage: "Reading", done: count.added, total: 0 });
      }
      return { added: count.added, sources: count.sources.size };
    });
    writeRead(line, { memory, from, read, options });
  });
}

async function* batchesOf(
  line: CommandLine,
  memory: MemoryEngine,
  { from, given }: { readonly from: string; readonly given: string | undefined },
): AsyncGenerator<SourceBatch> {
  if (from === "git") {
    const folder = resolve(line.cwd, given ?? ".");
    const mark = await markOf(memory, await sourceOfHistory(folder));
    yield* readHistory({ folder, signal: line.signal }, mark);
    return;
  }
  if (from === DECISIONS) {
    const folder = resolve(line.cwd, given ?? ".");
    if (!existsSync(folder)) throw invalidInput(`file: there is no ${folder}`);
    yield* newDecisions(memory, folder);
    return;
  }
  const place = SESSION_FOLDERS[from]?.({
    home: line.env.HOME ?? line.env.USERPROFILE ?? "",
    env: line.env,
    project: line.cwd,
  });
  if (place === undefined) throw invalidInput(`from: "${from}" has no sessions that can be read`);
  const path = given === undefined ? place.folder : resolve(line.cwd, given);
  if (!existsSync(path)) {
    throw invalidInput(
      given === undefined
        ? `file: ${from} has left no sessions of this project in ${path}; name a transcript or a folder of them`
        : `file: there is no ${path}`,
    );
  }
  const within = given === undefined && !place.isOfProject ? line.cwd : undefined;
  yield* readSessions({
    client: from,
    path,
    endings: place.endings,
    file: place.file,
    within,
    cwd: line.cwd,
  });
}

interface Outcome {
  readonly memory: MemoryEngine;
  readonly from: string;
  readonly read: { readonly added: number; readonly sources: number };
  readonly options: WrittenOptions;
}

function writeRead(line: CommandLine, { memory, from, read, options }: Outcome): void {
  if (options.json === true) {
    line.stdout.write(`${JSON.stringify({ database: memory.name, source: from, ...read })}\n`);
    return;
  }
  const of = `${read.sources} ${read.sources === 1 ? "source" : "sources"}`;
  line.stdout.write(
    read.added === 0
      ? `Nothing new of ${from} for the database "${memory.name}".\n`
      : `Read ${read.added} new passages of ${of} (${from}) into the database "${memory.name}"; \`cairn sources\` lists what is kept.\n`,
  );
}
