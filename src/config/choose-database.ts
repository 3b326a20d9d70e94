import { join } from "node:path";
import { gitDatabase } from "./git-database.ts";
import { type ConfigPaths, configPaths, type Place } from "./paths.ts";
import { foldersUpwards } from "./project-folders.ts";
import { readConfigFile } from "./read-config-file.ts";
import { settingDefinitions } from "./setting-definitions.ts";
import { layerFromFile, type SettingLayer } from "./setting-layer.ts";
import { trustState } from "./workspace-trust.ts";

/** The setting's value that leaves the choice to this file. */
const AUTO = "auto";
/** The user's own memory. */
export const OWN_DATABASE = "default";

export interface ChosenDatabase {
  readonly name: string;
  /** What chose it. */
  readonly by: "flag" | "environment" | "project" | "user" | "git" | "default";
  /** The flag, variable, file or work tree that did; empty for the default. */
  readonly source: string;
}

interface Question extends Place {
  /** Flags and variables. */
  readonly given: SettingLayer;
  readonly user: SettingLayer;
  /** A model will work with it: a config that nobody trusts chooses nothing for it. */
  readonly forAgent: boolean;
}

/**
 * Which database is meant where none is named: the flag's or variable's; that of the nearest project
 * config upwards that names one; the user's setting; the git work tree's own; else `default`.
 */
export function chooseDatabase(question: Question): ChosenDatabase {
  return (
    chosenBy(question.given) ??
    chosenByProject(question) ??
    chosenBy(question.user) ??
    chosenByGit(question) ?? { name: OWN_DATABASE, by: "default", source: "" }
  );
}

function chosenBy(layer: SettingLayer): ChosenDatabase | undefined {
  const db = layer.get("db");
  if (db === undefined || db.value === AUTO) return undefined;
  const { origin: by, name: source } = db.source;
  return { name: String(db.value), by, source };
}

function chosenByProject(question: Question): ChosenDatabase | undefined {
  const definitions = settingDefinitions();
  const { home } = configPaths(question);
  for (const folder of foldersUpwards(question.cwd, home)) {
    const file = readConfigFile(join(folder, ".cairn", "config.json"));
    if (file === undefined) continue;
    const source = { origin: "project", name: file.path } as const;
    const layer = layerFromFile(file.content, source, definitions);
    if (!layer.has("db")) continue;
    const paths: ConfigPaths = configPaths({ ...question, cwd: folder });
    if (question.forAgent && trustState(paths, file) !== "trusted") continue;
    return chosenBy(layer) ?? chosenByGit({ cwd: folder });
  }
  return undefined;
}

function chosenByGit({ cwd }: Pick<Question, "cwd">): ChosenDatabase | undefined {
  const found = gitDatabase(cwd);
  return found === undefined ? undefined : { name: found.name, by: "git", source: found.workTree };
}
