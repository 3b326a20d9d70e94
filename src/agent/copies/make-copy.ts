import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../shared/clock.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { invalidInput, stateConflict } from "../../shared/errors.ts";
import { makeFolder } from "../../shared/files.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";
import { copyDependencies } from "./copy-dependencies.ts";
import { NOTE, placeOfCopy } from "./copy-place.ts";
import { copyTwice } from "./copy-twice.ts";
import { filesOfTree } from "./files-of-tree.ts";
import { isWithin } from "./is-within.ts";
import { mergeCopy } from "./merge-copy.ts";
import { makeOwnRepository } from "./own-repository.ts";
import { planMerge } from "./plan-merge.ts";

export interface CopyWish {
  readonly project: string;
  readonly dataDir: string;
  readonly name: string;
  readonly clock: Clock;
  /** Copies of the same project whose work it begins with, in this order. */
  readonly onto?: readonly ProjectCopy[];
  /** Is told how many files of how many are copied. */
  readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Copies a project as it is, what is not committed included, to a place where an agent can work
 * without anybody minding. Throws conflict where there is one of that name, invalid_input for a folder
 * that cannot be copied; what was begun is removed then.
 */
export async function makeCopy(wish: CopyWish): Promise<ProjectCopy> {
  const { project, dataDir, name, clock } = wish;
  const place = placeOfCopy(dataDir, project, name);
  if (isWithin(place.folder, place.project)) {
    throw invalidInput(
      `${place.project} holds the place where copies are kept, so it cannot be copied there.`,
    );
  }
  if (existsSync(join(place.folder, NOTE))) {
    throw stateConflict(
      `There is a copy "${name}" already: go on with it, or choose another name.`,
    );
  }
  // What a process that was killed had begun.
  await rm(place.folder, { recursive: true, force: true });
  try {
    makeFolder(place.folder);
    mkdirSync(place.tree, { recursive: true });
    mkdirSync(place.base, { recursive: true });
    await copyFiles(place, wish.onProgress);
    for (const before of wish.onto ?? []) await beginWith(before, place);
    await makeOwnRepository(place.project, place.tree, `cairn/${name}`);
    await copyDependencies(place.project, place.tree);
    const createdAt = toTimestamp(clock.now());
    const note = { name, project: place.project, createdAt };
    writeFileSync(join(place.folder, NOTE), `${JSON.stringify(note)}\n`, { mode: 0o600 });
    return { ...place, createdAt };
  } catch (error) {
    await rm(place.folder, { recursive: true, force: true });
    throw error;
  }
}

/** What the other copy did counts as there before. Throws conflict where both have changed the same. */
async function beginWith(
  before: ProjectCopy,
  { tree, base }: Pick<ProjectCopy, "tree" | "base">,
): Promise<void> {
  for (const place of [base, tree]) {
    const into = { ...before, project: place };
    mergeCopy(into, await planMerge(into));
  }
}

async function copyFiles(
  { project, tree, base }: Pick<ProjectCopy, "project" | "tree" | "base">,
  onProgress: CopyWish["onProgress"],
): Promise<void> {
  const files = await filesOfTree(project);
  await copyTwice({ from: project, first: base, second: tree }, files, (done) =>
    onProgress?.(done, files.length),
  );
}
