import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { OtherDatabase } from "../../../../database/index.ts";
import { isPlainObject } from "../../../../shared/json.ts";
import { codeWorkspaces } from "../code-workspaces.ts";
import type { CursorKnown } from "./cursor.ts";
import { objectOf } from "./stored-session.ts";

/** What Cursor's workspaces and transcripts tell about the conversations in its database. */
export function cursorKnown(editor: string, projects: string): CursorKnown {
  const folders = new Map(
    codeWorkspaces(editor).flatMap(({ place, folder }) =>
      composersOf(join(place, "state.vscdb")).map((composer) => [composer, folder] as const),
    ),
  );
  const written = new Set(
    namesIn(projects).flatMap((name) =>
      namesIn(join(projects, name, "agent-transcripts")).map((file) => file.replace(/\..*$/, "")),
    ),
  );
  return {
    folderOf: (composer) => folders.get(composer),
    hasTranscript: (composer) => written.has(composer),
  };
}

function composersOf(path: string): string[] {
  if (!existsSync(path)) return [];
  using database = new OtherDatabase(path);
  if (!database.has("ItemTable", ["key", "value"])) return [];
  return [
    ...database.rows("select value from ItemTable where key = 'composer.composerData'"),
  ].flatMap(({ value }) => {
    const composers = objectOf(value)?.allComposers;
    return Array.isArray(composers)
      ? composers.filter(isPlainObject).map(({ composerId }) => String(composerId))
      : [];
  });
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
