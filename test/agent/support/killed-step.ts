import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * Child process: undoes a turn or merges a worktree, and kills itself after COUNT file operations
 * (`KIND DATA_DIR PROJECT COUNT`).
 */
const [kind = "", dataDir = "", project = "", count = ""] = process.argv.slice(2);
let left = Number(count);

/** All functions that change project files; the process may die in any of them. */
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
