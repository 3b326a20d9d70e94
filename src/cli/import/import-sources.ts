import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  historySource,
  loadMark,
  readChangedDecisions,
  readHistory,
  readSessions,
  SESSION_FOLDERS,
  type SessionFolder,
  type SkippedSession,
  SOURCE_KEY,
  type SourceBatch,
  storeSource,
} from "../../ingest/sources/index.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import { groupBy, indexBy } from "../../shared/collections.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { CommandLine, GlobalOptions } from "../command-line.ts";
import { withMemory } from "../command-line.ts";
import { withProgress } from "../render/progress.ts";

/** Values of `--from`, besides importers, for content read as sources. */
export const WRITTEN_SOURCES: readonly string[] = [
  "git",
  SOURCE_KEY,
  ...Object.keys(SESSION_FOLDERS),
];

interface WrittenOptions extends GlobalOptions {
  readonly from?: unknown;
  readonly dryRun?: unknown;
}

export async function importFromSource(
  line: CommandLine,
  path: string | undefined,
  options: WrittenOptions,
): Promise<void> {
  const from = String(options.from);
  if (options.dryRun === true) {
    throw invalidInput(
      "dry-run: not supported for sources; `cairn list sources` lists them, `cairn delete source:N` removes one",
    );
  }
  await withMemory(line, options, async (memory) => {
    const skipped: SkippedSession[] = [];
    const read = await withProgress(line, async (onProgress) => {
      const count = { added: 0, seen: 0, sources: new Set<string>() };
      const onSkipped = (one: SkippedSession) => skipped.push(one);
      for await (const batch of readBatches(line, memory, { from, path, onSkipped })) {
        line.signal.throwIfAborted();
        count.seen += 1;
        const added = await storeSource(memory, batch, { signal: line.signal, surface: "cli" });
        if (added > 0) count.sources.add(batch.key);
        if (batch.omitted !== undefined) {
          line.stderr.write(`${batch.title ?? batch.key}: ${batch.omitted} left out.\n`);
        }
        count.added += added;
        onProgress({ stage: "Reading", done: count.added, total: 0 });
      }
      return { added: count.added, sources: count.sources.size, seen: count.seen };
    });
    if (path !== undefined && from in SESSION_FOLDERS && read.seen + skipped.length === 0) {
      line.stderr.write(
        `${path} contains no session of ${from}; set --from to the tool that wrote it.\n`,
      );
    }
    for (const notice of skippedLines(skipped)) line.stderr.write(`${notice}\n`);
    const { added, sources } = read;
    storeBatches(line, { memory, from, read: { added, sources }, options });
  });
}

interface SourceRequest {
  readonly from: string;
  readonly path: string | undefined;
  onSkipped(skipped: SkippedSession): void;
}

async function* readBatches(
  line: CommandLine,
  memory: MemoryEngine,
  { from, path, onSkipped }: SourceRequest,
): AsyncGenerator<SourceBatch> {
  if (from === "git") {
    const folder = resolve(line.cwd, path ?? ".");
    const cursor = await loadMark(memory, await historySource(folder));
    yield* readHistory({ folder, signal: line.signal }, cursor);
    return;
  }
  if (from === SOURCE_KEY) {
    const folder = resolve(line.cwd, path ?? ".");
    if (!existsSync(folder)) throw invalidInput(`file: there is no ${folder}`);
    yield* readChangedDecisions(memory, folder);
    return;
  }
  const { places, isNamed } = findSessionFolders(line, from, path);
  yield* readSessions({
    ...{ client: from, places, cwd: line.cwd, onSkipped },
    within: isNamed ? undefined : line.cwd,
  });
}

function findSessionFolders(
  line: CommandLine,
  from: string,
  value: string | undefined,
): { readonly places: readonly SessionFolder[]; readonly isNamed: boolean } {
  const known = SESSION_FOLDERS[from]?.({
    home: line.env.HOME ?? line.env.USERPROFILE ?? "",
    env: line.env,
    project: line.cwd,
  });
  if (known === undefined) throw invalidInput(`from: "${from}" has no readable sessions`);
  if (value === undefined) {
    const places = known.filter(({ folder }) => existsSync(folder));
    if (places.length > 0) return { places, isNamed: false };
    const folders = known.map(({ folder }) => folder).join(" or ");
    throw invalidInput(
      `file: no sessions of this project by ${from} in ${folders}; pass a transcript, a database or a folder`,
    );
  }
  const folder = resolve(line.cwd, value);
  if (!existsSync(folder)) throw invalidInput(`file: there is no ${folder}`);
  const fitting = statSync(folder).isFile()
    ? known.filter(({ endings }) => endings.some((ending) => folder.endsWith(ending))).slice(0, 1)
    : [...indexBy(known, ({ endings }) => endings.join()).values()];
  const read = fitting.length > 0 ? fitting : [{ endings: [], isOfProject: true }];
  return {
    places: read.map(({ isFlat: _flat, ...place }: Partial<SessionFolder>) => ({
      ...{ endings: [], isOfProject: true },
      ...place,
      folder,
    })),
    isNamed: true,
  };
}

const SKIP_REASONS = {
  "no turns": "have no readable turns",
  unreadable: "are not sessions of this client or not regular files",
  compressed: "are compressed with Zstandard, which needs Node.js 22.15 or newer",
  "no folder": "do not name their folder and may belong to another project (pass one to import it)",
} as const satisfies Record<SkippedSession["reason"], string>;
const MAX_NAMED = 3;

/** One line per reason. */
function skippedLines(skipped: readonly SkippedSession[]): string[] {
  return Array.from(
    groupBy(skipped, ({ reason }) => reason),
    ([reason, of]) => {
      const paths = [...new Set(of.map(({ path }) => path))];
      const named = paths.slice(0, MAX_NAMED).join(", ");
      const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more files` : "";
      return `${of.length} of them ${SKIP_REASONS[reason]}: ${named}${more}`;
    },
  );
}

interface Outcome {
  readonly memory: MemoryEngine;
  readonly from: string;
  readonly read: { readonly added: number; readonly sources: number };
  readonly options: WrittenOptions;
}

function storeBatches(line: CommandLine, { memory, from, read, options }: Outcome): void {
  if (options.json === true) {
    line.stdout.write(`${JSON.stringify({ database: memory.name, source: from, ...read })}\n`);
    return;
  }
  const of = `${read.sources} ${read.sources === 1 ? "source" : "sources"}`;
  line.stdout.write(
    read.added === 0
      ? `Nothing new from ${from} for the database "${memory.name}".\n`
      : `Read ${read.added} new ${read.added === 1 ? "passage" : "passages"} of ${of} (${from}) into the database "${memory.name}"; \`cairn list sources\` lists all sources.\n`,
  );
}
