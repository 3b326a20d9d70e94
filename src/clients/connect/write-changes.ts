import { copyFileSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, sep } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { messageOf, stateConflict } from "../../shared/errors.ts";
import { backupPath, pruneBackups, removeBackups } from "./backups.ts";
import type { FileChange } from "./plan-changes.ts";
import { readConfig } from "./read-config.ts";

export interface WrittenFile {
  readonly file: string;
  /** Path of the backup, if the file existed. */
  readonly backup: string | undefined;
}

const PRIVATE_MODE = 0o600;

export interface WriteOptions {
  readonly aim: "connect" | "remove";
  readonly now: Date;
  /** Removes emptied folders below these. */
  readonly roots: readonly string[];
}

/**
 * Writes all files or none: replaces each atomically and restores earlier ones on failure.
 * Connecting creates backups; disconnecting removes them with empty files and folders. Throws
 * conflict.
 */
export async function writeChanges(
  changes: readonly FileChange[],
  { aim, now, roots }: WriteOptions,
): Promise<WrittenFile[]> {
  for (const change of changes) requireUnchanged(change);
  const written: (WrittenFile & { readonly change: FileChange })[] = [];
  for (const change of changes) {
    try {
      const backup = aim === "connect" ? backUpFile(change, now) : undefined;
      written.push({ change, file: change.file, backup });
      await replaceFile(change, change.after);
    } catch (error) {
      await revertChanges(written.map((file) => file.change));
      throw stateConflict(`${change.file} cannot be written: ${messageOf(error)}`);
    }
  }
  for (const { config, after } of changes) {
    if (aim === "connect") pruneBackups(config.realPath);
    else removeBackups(config.realPath, after);
    if (after === "") removeEmptyFolders(dirname(config.realPath), roots);
  }
  return written.map(({ file, backup }) => ({ file, backup }));
}

function removeEmptyFolders(folder: string, roots: readonly string[]): void {
  const isWithin = roots.some((root) => folder.startsWith(`${root}${sep}`));
  // Two of the files may share the folder.
  if (!isWithin || !existsSync(folder) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmptyFolders(dirname(folder), roots);
}

/** Throws if the client changed its settings while waiting for confirmation. */
function requireUnchanged({ file, config }: FileChange): void {
  if (readConfig(file).text === config.text) return;
  throw stateConflict(`${file} has just changed. Run the command again.`);
}

function backUpFile({ config }: FileChange, now: Date): string | undefined {
  if (config.text === undefined) return undefined;
  const backup = backupPath(config.realPath, now);
  copyFileSync(config.realPath, backup);
  return backup;
}

async function replaceFile({ config }: FileChange, text: string): Promise<void> {
  if (text === "") {
    rmSync(config.realPath, { force: true });
    return;
  }
  mkdirSync(dirname(config.realPath), { recursive: true });
  const content = config.hasByteOrderMark ? `\uFEFF${text}` : text;
  await writeFileAtomic(config.realPath, content, { mode: config.mode ?? PRIVATE_MODE });
}

async function revertChanges(changes: readonly FileChange[]): Promise<void> {
  for (const change of changes) {
    if (change.config.text === undefined) rmSync(change.config.realPath, { force: true });
    else await replaceFile(change, change.config.text);
  }
}
