import { join } from "node:path";
import { gitDatabase } from "./git-ids.ts";
import { type ConfigPaths, configPaths, listParentFolders, type PathContext } from "./paths.ts";
import { readConfigFile } from "./read-config-file.ts";
import type { Reader } from "./reader.ts";
import type { SettingLayer } from "./setting-layer.ts";
import { projectLayer } from "./setting-layer.ts";
import { trustState } from "./workspace-trust.ts";

/** Selects a database automatically. */
const AUTO_DATABASE = "auto";
/** The user's own memory. */
export const DEFAULT_DATABASE = "default";

export interface ChosenDatabase {
  readonly name: string;
  readonly by: "flag" | "environment" | "project" | "user" | "git" | "default";
  /** The flag, variable, file or work tree; empty for the default. */
  readonly source: string;
}

interface DatabaseQuestion extends PathContext {
  /** Flags and variables. */
  readonly overrides: SettingLayer;
  readonly user: SettingLayer;
  readonly reader: Reader;
  readonly dataDir: string;
}

export interface DatabaseChoice {
  readonly chosen: ChosenDatabase;
  /** Messages about ignored settings that name another database. */
  readonly refused: readonly string[];
}

/**
 * Chooses the database: from flag or variable; the nearest project config upwards that names one;
 * the user's setting; the git work tree; else `default`. Prevents untrusted projects from choosing
 * a database for a model.
 */
export function chooseDatabase(question: DatabaseQuestion): DatabaseChoice {
  const refusals: string[] = [];
  const chosen = describeOrigin(question.overrides) ??
    chooseByProject(question, refusals) ??
    describeOrigin(question.user) ??
    chooseByGit(question, refusals) ?? { name: DEFAULT_DATABASE, by: "default", source: "" };
  return { chosen, refused: refusals };
}

function describeOrigin(layer: SettingLayer): ChosenDatabase | undefined {
  const db = layer.get("db");
  if (db === undefined || db.value === AUTO_DATABASE) return undefined;
  const { origin: by, name: source } = db.source;
  return { name: String(db.value), by, source };
}

function chooseByProject(
  question: DatabaseQuestion,
  refusals: string[],
): ChosenDatabase | undefined {
  const { home } = configPaths(question);
  for (const folder of listParentFolders(question.cwd, home)) {
    const file = readConfigFile(join(folder, ".cairn", "config.json"));
    if (file === undefined) continue;
    const paths: ConfigPaths = configPaths({ ...question, cwd: folder });
    const trust = trustState(paths, file);
    const { layer } = projectLayer(file, trust === "trusted");
    if (!layer.has("db")) continue;
    if (question.reader === "model" && trust !== "trusted") {
      refusals.push(
        `${file.path} is not trusted, so its database "${String(layer.get("db")?.value)}" is not used. Review the file, then run \`cairn trust\` in ${folder} to accept it.`,
      );
      continue;
    }
    return describeOrigin(layer) ?? chooseByGit({ ...question, cwd: folder }, refusals);
  }
  return undefined;
}

function chooseByGit(
  { cwd, dataDir }: Pick<DatabaseQuestion, "cwd" | "dataDir">,
  refusals: string[],
): ChosenDatabase | undefined {
  const found = gitDatabase(cwd, dataDir);
  if (found === undefined) return undefined;
  if (found.refused !== undefined) refusals.push(found.refused);
  return { name: found.name, by: "git", source: found.workTree };
}
