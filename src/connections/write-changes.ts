import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { messageOf, stateConflict } from "../kernel/errors.ts";
import type { FileChange } from "./plan-changes.ts";
import { readConfig } from "./read-config.ts";

export interface WrittenFile {
  readonly file: string;
  /** The old content; undefined when there was none. */
  readonly backup: string | undefined;
}

/** Files that hold settings of a person alone. */
const PRIVATE = 0o600;

/**
 * Writes all files or none: each is backed up and replaced in one step, and those written before
 * one that fails get their old content back. Throws conflict.
 */
export async function writeChanges(
  changes: readonly FileChange[],
  now: Date,
): Promise<WrittenFile[]> {
  for (const change of changes) requireUnchanged(change);
  const written: (WrittenFile & { readonly change: FileChange })[] = [];
  for (const change of changes) {
    try {
      written.push({ change, file: change.file, backup: backUp(change, now) });
      await replace(change, change.after);
    } catch (error) {
      await takeBack(written.map((file) => file.change));
      throw stateConflict(`${change.file} cannot be written: ${messageOf(error)}`);
    }
  }
  return written.map(({ file, backup }) => ({ file, backup }));
}

/** The client may have written its own settings while the person read the question. */
function requireUnchanged({ file, config }: FileChange): void {
  if (readConfig(file).text === config.text) return;
  throw stateConflict(`${file} has just changed. Run the command again.`);
}

function backUp({ config }: FileChange, now: Date): string | undefined {
  if (config.text === undefined) return undefined;
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  let backup = `${config.realPath}.before-cairn-${stamp}`;
  for (let more = 2; existsSync(backup); more += 1) {
    backup = `${config.realPath}.before-cairn-${stamp}-${more}`;
  }
  copyFileSync(config.realPath, backup);
  return backup;
}

async function replace({ config }: FileChange, text: string): Promise<void> {
  // Only a program of cairn's own becomes empty, and a client would load it still.
  if (text === "") {
    rmSync(config.realPath, { force: true });
    return;
  }
  mkdirSync(dirname(config.realPath), { recursive: true });
  const content = config.hasByteOrderMark ? `\uFEFF${text}` : text;
  await writeFileAtomic(config.realPath, content, { mode: config.mode ?? PRIVATE });
}

async function takeBack(changes: readonly FileChange[]): Promise<void> {
  for (const change of changes) {
    if (change.config.text === undefined) rmSync(change.config.realPath, { force: true });
    else await replace(change, change.config.text);
  }
}
