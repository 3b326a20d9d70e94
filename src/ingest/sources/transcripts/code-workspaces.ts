import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { tryReadRegularFile } from "../../../shared/regular-file.ts";
import { pathOfUri } from "./stored/cursor.ts";
import { objectOf, textOr } from "./stored/stored-session.ts";

/** What VS Code, or an editor based on it, stores for a folder that was open in it. */
export interface Workspace {
  /** Where the editor stores it. */
  readonly place: string;
  /** Absolute folder of the project. */
  readonly folder: string;
}

/** The workspaces of an editor whose files are in this folder, e.g. `~/.config/Code`. */
export function codeWorkspaces(editor: string): Workspace[] {
  const parent = join(editor, "User", "workspaceStorage");
  if (!existsSync(parent)) return [];
  return readdirSync(parent).flatMap((name) => {
    const place = join(parent, name);
    const file = join(place, "workspace.json");
    const uri = textOr(objectOf(tryReadRegularFile(file, 65_536)?.text)?.folder);
    const folder = uri === undefined ? undefined : pathOfUri(uri);
    return folder === undefined ? [] : [{ place, folder }];
  });
}

/** Where such an editor, `Code` or `Cursor`, stores user data. */
export function editorFolder(
  name: string,
  {
    env,
    home,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string },
): string {
  if (process.platform === "darwin") return join(home, "Library", "Application Support", name);
  if (process.platform === "win32") return join(env.APPDATA ?? home, name);
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), name);
}
