import { readFileSync } from "node:fs";
import { configPaths } from "../config/paths.ts";
import type { CommandLine } from "./command-line.ts";

/**
 * Variables by which terminals and other programs announce a screen reader; there is no common one.
 */
const TOLD_BY = ["ACCESSIBLE", "INK_SCREEN_READER", "VSCODE_A11Y_MODE"];
const NO = new Set(["", "0", "false", "no", "off"]);

/**
 * True if to write for a screen reader, by the flag, the setting or the environment. The config is
 * only loaded if it mentions the setting, since the first prompt waits for this.
 */
export async function hasScreenReader(
  { env, cwd, reader }: Pick<CommandLine, "env" | "cwd"> & { readonly reader: "person" | "model" },
  flag: boolean,
): Promise<boolean> {
  if (flag) return true;
  const { userConfigFile, projectConfigFile } = configPaths({ env, cwd });
  const isSet =
    env.CAIRN_SCREEN_READER !== undefined ||
    [userConfigFile, projectConfigFile].some((file) => mentions(file, '"screenReader"'));
  if (isSet) {
    const { loadConfig } = await import("../config/index.ts");
    const { screenReader } = loadConfig({ env, cwd, reader }).settings;
    if (screenReader !== undefined) return screenReader;
  }
  return TOLD_BY.some((name) => !NO.has((env[name] ?? "").toLowerCase()));
}

/** A file that cannot be read is reported when the config is loaded. */
function mentions(file: string, word: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(word);
  } catch {
    return false;
  }
}
