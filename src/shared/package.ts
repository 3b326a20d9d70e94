import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Works from both sources and bundle. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "drizzle")) || !existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(
        "The installation of cairn is incomplete: the folder drizzle/ is missing. Reinstall cairn-memory.",
      );
    folder = parent;
  }
  return folder;
}

export interface PackageDescription {
  readonly name: string;
  readonly version: string;
}

export function packageDescription(): PackageDescription {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
}

/** Default port of `cairn serve`, where `cairn ui` and `cairn open` look for it. */
export const DEFAULT_PORT = 7433;
