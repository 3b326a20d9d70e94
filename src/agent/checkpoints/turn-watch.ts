import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { FileWatch } from "../ports/checkpoint.ts";
import type { TreeState } from "./file-copy.ts";
import { copyFile, type FileCopy } from "./file-copy.ts";
import { linkedGitMark } from "./linked-git.ts";
import type { ProjectCheckpoints } from "./project-checkpoints.ts";
import { type Before, changesSince, type TurnChanges } from "./turn-record.ts";

/** Records the state before a turn: of files that it writes, and of all if commands run. */
export class TurnWatch implements FileWatch {
  readonly #project: ProjectCheckpoints;
  readonly #turnId: string;
  readonly #keep: (before: Before) => void;
  readonly #written = new Map<string, FileCopy | null>();
  readonly #folders = new Set<string>();
  #tree: Promise<TreeState | undefined> | undefined;
  #protected: Promise<void> | undefined;
  #keptTree: string | undefined;
  #hasRunCommand = false;
  #linkedGit: string | undefined;

  constructor(
    project: ProjectCheckpoints,
    { turnId, keep }: { readonly turnId: string; readonly keep: (before: Before) => void },
  ) {
    this.#project = project;
    this.#turnId = turnId;
    this.#keep = keep;
    // Scans while the model works; the first scan of a project waits for a command.
    if (project.isTreeKnown) this.#tree = this.#look();
  }

  get hasRunCommand(): boolean {
    return this.#hasRunCommand;
  }

  async willWrite(...paths: readonly string[]): Promise<void> {
    const added = paths.filter((path) => !this.#written.has(path));
    if (added.length === 0) return;
    for (const path of added) {
      this.#written.set(path, copyFile(path, this.#project.store));
      for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) {
        this.#folders.add(folder);
      }
    }
    this.#keep(this.#before());
  }

  async willRunCommand(): Promise<void> {
    this.#tree ??= this.#look();
    this.#protected ??= this.#project.protectGit(this.#turnId);
    const [tree] = await Promise.all([this.#tree, this.#protected]);
    if (this.#hasRunCommand) return;
    this.#hasRunCommand = true;
    this.#linkedGit = linkedGitMark(this.#project.root);
    if (tree !== undefined) this.#keptTree = this.#project.keepTree(tree);
    this.#keep(this.#before());
  }

  async end(): Promise<TurnChanges> {
    const tree = this.#hasRunCommand ? await this.#tree : undefined;
    return changesSince(this.#project, { ...this.#before(), state: tree });
  }

  #before(): Before {
    return {
      written: [...this.#written].map(([path, before]) => ({ path, before })),
      folders: [...this.#folders].sort((a, b) => a.length - b.length),
      ...(this.#keptTree !== undefined && { tree: this.#keptTree }),
      ...(this.#linkedGit !== undefined && { linkedGit: this.#linkedGit }),
    };
  }

  #look(): Promise<TreeState | undefined> {
    const looked = this.#project.look();
    // Awaited by the first command, if any.
    looked.catch(() => undefined);
    return looked;
  }
}
