import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { PermissionMode } from "../ports/permission-mode.ts";
import { isInside } from "../tools/project-paths.ts";

export interface Ground {
  /** Real path. */
  readonly projectRoot: string;
  readonly isConfined: boolean;
  readonly isServer: boolean;
}

/** The mode where no setting names one. */
export function defaultMode({ projectRoot, isConfined, isServer }: Ground): PermissionMode {
  if (holdsHome(projectRoot)) return "ask";
  return isConfined || isServer ? "auto" : "ask";
}

/**
 * True if nearly everything of a user is "in the project": the home folder, and what it lies in.
 */
export function holdsHome(projectRoot: string): boolean {
  return isInside(projectRoot, realRoot(homedir()));
}

export function realRoot(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that is gone has no other name.
    return path;
  }
}
