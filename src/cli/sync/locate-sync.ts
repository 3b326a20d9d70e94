import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  configPaths,
  DEFAULT_DATABASE,
  gitDatabase,
  type LoadedConfig,
  trustProject,
  trustStatus,
} from "../../config/index.ts";
import { MEMORY_FOLDER } from "../../ingest/repository/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";

export interface SyncLocation {
  readonly root: string;
  readonly isTrusted: boolean;
  /** Trusts a folder that this sync created. */
  readonly settle: () => void;
}

/** Locates the project's files. Throws invalid_input outside a project. */
export function locateSync({ env, cwd }: CommandLine, config: LoadedConfig): SyncLocation {
  const { name, by } = config.database;
  if (name === DEFAULT_DATABASE && by !== "flag") {
    throw invalidInput(
      "The selected database is your personal memory, which cannot be synced to a repository. Use a project database (`cairn init`), or choose one: cairn sync --db NAME.",
    );
  }
  const top = gitDatabase(cwd, config.dataDir)?.workTree ?? cwd;
  const root = configPaths({ env, cwd: top }).configRoot;
  const location = { env, cwd: root };
  const { state } = trustStatus(location);
  const isNew = !existsSync(join(root, MEMORY_FOLDER));
  return {
    root,
    // A new folder contains only files of this user.
    isTrusted: state === "trusted" || isNew,
    settle: () => {
      const wasOwn = state === "none" || state === "trusted";
      if (isNew && wasOwn && trustStatus(location).memories > 0) trustProject(location);
    },
  };
}
