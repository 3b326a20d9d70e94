import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * A program that undoes a turn or merges a worktree and kills itself after the given number of files were
 * replaced, linked or removed: `KIND DATA_DIR PROJECT COUNT`.
 */
const [kind = "", dataDir = "", project = "", count = ""] = process.argv.slice(2);
let left = Number(count);

/** The functions by which files of the project change, each of which may be the last one. */
for (const name of ["renameSync", "rmSync", "unlinkSync", "rmdirSync"] as const) {
  const real = fs[name] as (path: string, ...rest: unknown[]) => void;
  Object.assign(fs, {
    [name]: (path: string, ...rest: unknown[]) => {
      real(path, ...rest);
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
    },
  });
}
syncBuiltinESMExports();

if (kind === "undo") {
  const { openUndo } = await import("./open-undo.ts");
  await openUndo({ dataDir, project }).thread.undo({ scope: "files" });
} else {
  const { findWorktree } = await import("../../../src/agent/worktrees/worktree.ts");
  const { mergeWorktree, planMerge } = await import("../../../src/agent/worktrees/merge.ts");
  const worktree = findWorktree(dataDir, project, "try");
  await mergeWorktree(worktree, await planMerge(worktree));
}
