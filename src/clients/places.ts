import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../shared/environment.ts";

export interface Places {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly project: string;
  /** `%APPDATA%`, `~/Library/Application Support` or the XDG config folder: for programs with a window. */
  readonly applications: string;
  /** The XDG config folder, on macOS too; `%APPDATA%` on Windows: for command-line programs. */
  readonly config: string;
}

export interface PlacesOptions {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform?: NodeJS.Platform;
}

export function findPlaces({ env, cwd, platform = process.platform }: PlacesOptions): Places {
  const home = (platform === "win32" ? env.USERPROFILE : env.HOME) || homedir();
  const roaming = env.APPDATA || join(home, "AppData", "Roaming");
  const config = platform === "win32" ? roaming : env.XDG_CONFIG_HOME || join(home, ".config");
  const applications =
    platform === "darwin" ? join(home, "Library", "Application Support") : config;
  return { env, platform, home, project: cwd, applications, config };
}
