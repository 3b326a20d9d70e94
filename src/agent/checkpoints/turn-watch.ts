import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileWatch } from "../ports/checkpoint.ts";
import { copyFile, type FileCopy, isSameCopy } from "./file-copy.ts";
import type { ProjectCheckpoints } from "./project-checkpoints.ts";
import { type TreeState, treeDifference } from "./tree-state.ts";
import type { FileChange } from "./turn-record.ts";

/** Notices what one turn changes: files that it says, and all others when it runs commands. */
export class TurnWatch implements FileWatch {
  readonly #project: ProjectCheckpoints;
  readonly #written = new Map<string, FileCopy | null>();
  readonly #folders = new Set<string>();
  #tree: Promise<TreeState | undefined> | undefined;
  #hasRunCommand = false;

  constructor(project: ProjectCheckpoints) {
    this.#project = project;
    // While the model is being asked; the first look at a project waits for the first command.
    if (project.isTreeKnown) this.#tree = this.#look();
  }

  async willWrite(path: string): Promise<void> {
    if (this.#written.has(path)) return;
    this.#written.set(path, copyFile(path, this.#project.store));
    for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) {
      this.#folders.add(folder);
    }
  }

  async willRunCommand(): Promise<void> {
    this.#tree ??= this.#look();
    await this.#tree;
    this.#hasRunCommand = true;
  }

  /** What is different now. */
  async end(): Promise<{ readonly files: FileChange[]; readonly folders: string[] }> {
    const files = [...this.#written].map(([path, before]) => this.#changeOf(path, before));
    if (this.#hasRunCommand) files.push(...(await this.#changesOfCommands()));
    const folders = [...this.#folders].sort((a, b) => a.length - b.length);
    return { files: files.filter(({ before, after }) => !isSameCopy(before, after)), folders };
  }

  async #changesOfCommands(): Promise<FileChange[]> {
    const before = await this.#tree;
    const after = before === undefined ? undefined : await this.#look();
    if (before === undefined || after === undefined) return [];
    const { root } = this.#project;
    const { files, newFolders } = treeDifference(before, after);
    for (const folder of newFolders) this.#folders.add(join(root, folder));
    return files
      .map((file) => ({ ...file, path: join(root, file.path) }))
      .filter(({ path }) => !this.#written.has(path));
  }

  #changeOf(path: string, before: FileCopy | null): FileChange {
    return { path, before, after: copyFile(path, this.#project.store) };
  }

  #look(): Promise<TreeState | undefined> {
    const looked = this.#project.look();
    // Awaited by the first command, if one comes; until then nobody listens.
    looked.catch(() => undefined);
    return looked;
  }
}
