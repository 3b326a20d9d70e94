import type { CommandLine } from "./command-line.ts";

/** The project and the data directory that a command works on. */
export async function projectPlace(
  { env, cwd, reader }: CommandLine,
  { db, dataDir: given, database }: Readonly<Record<string, unknown>>,
): Promise<{ readonly dataDir: string; readonly project: string }> {
  const { loadConfig } = await import("../config/index.ts");
  const flags = { db, dataDir: given, database };
  const { dataDir, paths } = loadConfig({ flags, env, cwd, reader });
  return { dataDir, project: paths.projectRoot };
}
