import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { gitDatabase, type LoadedConfig, readSmall, storeRepository } from "../config/index.ts";
import { makeFolder } from "../shared/files.ts";
import { isPlainObject } from "../shared/json.ts";

const PROJECTS_FILE = "projects.json";

export function readProjects(dataDir: string): Readonly<Record<string, string>> {
  try {
    const content: unknown = JSON.parse(readSmall(join(dataDir, PROJECTS_FILE)) ?? "{}");
    if (!isPlainObject(content)) return {};
    return Object.fromEntries(
      Object.entries(content).filter((entry): entry is [string, string] => {
        return typeof entry[1] === "string";
      }),
    );
  } catch {
    return {};
  }
}

/** Records a database's project, for lists and for moved worktrees. */
export function recordProject({ dataDir, database, paths }: LoadedConfig): void {
  const { name, by, source } = database;
  if (by !== "git" && by !== "project") return;
  if (by === "git") recordRepository(dataDir, { workTree: source, database: name });
  const folder = by === "git" ? source : join(source, "..", "..");
  const known = readProjects(dataDir);
  if (known[name] !== undefined || folder === paths.home) return;
  try {
    makeFolder(dataDir);
    const content = `${JSON.stringify({ ...known, [name]: folder }, null, 2)}\n`;
    writeFileAtomic.sync(join(dataDir, PROJECTS_FILE), content, { mode: 0o600 });
  } catch {
    // Expected: a read-only folder; lists then lack the column.
  }
}

function recordRepository(
  dataDir: string,
  { workTree, database }: { readonly workTree: string; readonly database: string },
): void {
  const common = gitDatabase(workTree, dataDir)?.common;
  if (common === undefined) return;
  try {
    storeRepository(dataDir, { common, database, workTree });
  } catch {
    // Expected: a read-only repository stores no id. Its memory is found by its path.
  }
}
