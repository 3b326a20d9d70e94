import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MEMORY_FOLDER, syncRepository } from "../../../src/ingest/repository/index.ts";
import type { EpisodeRecord } from "../../../src/memory/index.ts";
import { TestClock } from "../../../src/testing/test-clock.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

/** A clone of a repository with its own memory, synchronized with the repository's files. */
export interface Clone extends AsyncDisposable {
  readonly name: string;
  readonly folder: string;
  readonly test: TestMemory;
  sync(): Promise<void>;
  /** Returns false if there is nothing to commit. */
  commit(): boolean;
  /** Merges another clone's commits like `git pull`, and leaves conflicts in the files. */
  pull(from: Clone): void;
  /** Active statements in the memory. */
  texts(): Promise<string[]>;
  holding(): Promise<EpisodeRecord[]>;
}

export function createClones(names: readonly string[]): Clone[] {
  const root = mkdtempSync(join(tmpdir(), "cairn-clones-"));
  const first = join(root, names[0] ?? "");
  mkdirSync(first);
  git(first, "init", "--quiet", "--initial-branch=main");
  git(first, ...AS("setup"), "commit", "--quiet", "--allow-empty", "-m", "begin");
  return names.map((name, index) => {
    const folder = join(root, name);
    if (index > 0) git(root, "clone", "--quiet", first, folder);
    return makeClone(name, folder, index);
  });
}

const AS = (name: string) => ["-c", `user.name=${name}`, "-c", `user.email=${name}@example.org`];

function makeClone(name: string, folder: string, index: number): Clone {
  const clock = new TestClock();
  clock.advance(index + 1);
  const test = createTestMemory({ name: "shop", clock });
  return {
    ...{ name, folder, test },
    async sync() {
      clock.advance(1000);
      await syncRepository(test.memory, {
        ...{ root: folder, dataDir: join(test.folder, "state"), database: "shop" },
        ...{ types: ["decision", "fact", "preference", "outcome"], leave: ["private"] },
        ...{ isTrusted: true, isDry: false, mayEmpty: true },
      });
    },
    commit() {
      git(folder, "add", "--all");
      if (
        git(folder, "status", "--porcelain") === "" &&
        !existsSync(join(folder, ".git", "MERGE_HEAD"))
      )
        return false;
      git(folder, ...AS(name), "commit", "--quiet", "--no-edit", "-m", "memory");
      return true;
    },
    pull(from) {
      git(folder, "fetch", "--quiet", from.folder, "main");
      try {
        git(folder, ...AS(name), "merge", "--quiet", "--no-edit", "FETCH_HEAD");
      } catch {
        // Expected: conflicts stay in the files for `cairn sync`.
      }
    },
    async texts() {
      return (await this.holding()).map(({ content }) => content).sort();
    },
    async holding() {
      const { total } = await test.call("list_episodes", { limit: 1 });
      const all: EpisodeRecord[] = [];
      for (let page = 1; all.length < total; page++) {
        all.push(...(await test.call("list_episodes", { limit: 500, page })).episodes);
      }
      return all.filter(({ valid_to: end }) => end === undefined);
    },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export function readFilesIn({ folder }: Clone): Map<string, string> {
  const at = join(folder, MEMORY_FOLDER);
  if (!existsSync(at)) return new Map();
  return new Map(
    readdirSync(at)
      .sort()
      .map((name) => [name, readFileSync(join(at, name), "utf8")]),
  );
}

export function writeFileIn({ folder }: Clone, name: string, text: string | undefined): void {
  mkdirSync(join(folder, MEMORY_FOLDER), { recursive: true });
  if (text === undefined) rmSync(join(folder, MEMORY_FOLDER, name));
  else writeFileSync(join(folder, MEMORY_FOLDER, name), text);
}

export function moveFile({ folder }: Clone, from: string, to: string): void {
  renameSync(join(folder, MEMORY_FOLDER, from), join(folder, MEMORY_FOLDER, to));
}
