import type { App, StorageSearch, StoredCopy } from "../../app/index.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";

export interface Verification {
  readonly memory: MemoryEngine;
  readonly app: App;
  readonly texts: readonly string[];
  readonly everywhere: boolean;
  readonly json: boolean;
}

/** Searches files byte by byte for purged texts and reports where they remain. */
export async function verifyPurged(line: CommandLine, options: Verification): Promise<ExitCode> {
  await options.memory.finishErasing();
  return options.everywhere ? verifyAllStorage(line, options) : verifyDatabase(line, options);
}

async function verifyDatabase(
  line: CommandLine,
  { memory, texts, json }: Verification,
): Promise<ExitCode> {
  const database = await memory.database();
  const found = (await Promise.all(texts.map((text) => database.findBytes(text)))).flat();
  const copies = await database.read((tx) => database.findOtherCopies(tx));
  const remaining = copies.length > 0 ? { kept_elsewhere: copies } : {};
  if (json) {
    line.stdout.write(`${JSON.stringify({ found, ...remaining })}\n`);
  } else if (found.length === 0) {
    line.stdout.write(
      database.isOnServer
        ? "The database no longer returns it.\n"
        : "No bytes of it remain in the database, its log or its temporary files.\n",
    );
    reportCopies(line, copies);
  } else {
    for (const { file, offset } of found) line.stdout.write(`${file}: at byte ${offset}\n`);
    line.stdout.write("The text is still stored. `cairn recall` or `cairn log` may show where.\n");
  }
  return found.length === 0 ? EXIT.ok : EXIT.failed;
}

async function verifyAllStorage(
  line: CommandLine,
  { app, texts, json }: Verification,
): Promise<ExitCode> {
  const { searchAllStorage } = await import("../../app/index.ts");
  const searched = await searchAllStorage(app, texts);
  const { found, unread } = searched;
  if (json) line.stdout.write(`${JSON.stringify({ found, unread, looked: searched.looked })}\n`);
  else printLeftOvers(line, searched);
  return found.length + unread.length === 0 ? EXIT.ok : EXIT.failed;
}

export const REMEDIES: Readonly<Record<StoredCopy["kind"], (location: StoredCopy) => string>> = {
  database: ({ name }) => `find it with \`cairn recall --db ${name}\` and purge it there`,
  bin: ({ name }) =>
    `a deleted database: \`cairn db restore ${name}\` and purge it there, or remove the file`,
  queue: () => "queued for import: start a server or the agent once, or remove the file",
  transcript: () => "a transcript queued for import: remove the text there first",
  backup: () => "a backup: remove the file, or purge after restoring it",
  export: () => "an export: remove it, or export again",
  other: () => "data of sessions or servers: remove the file if unused",
};

function printLeftOvers(line: CommandLine, { found, unread, looked }: StorageSearch): void {
  for (const location of found) {
    line.stdout.write(
      `${location.file}: at byte ${location.offset}; ${REMEDIES[location.kind](location)}\n`,
    );
  }
  for (const file of unread) line.stdout.write(`${file}: could not be read\n`);
  if (found.length > 0) {
    line.stdout.write("It is still stored.\n");
  } else if (unread.length === 0) {
    line.stdout.write(
      `No bytes of it remain in the ${looked} files that cairn stores or has written.\n`,
    );
  }
}

/** Lists copies that a purge cannot reach. */
export function reportCopies(line: CommandLine, copies: readonly string[] = []): void {
  for (const sentence of copies) line.stdout.write(`${sentence}\n`);
}
