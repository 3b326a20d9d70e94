import type { CommandLine } from "../command-line.ts";

/** Finds the project that is meant and where its data is kept. */
export async function placesOf(
  line: CommandLine,
  { db, dataDir: given, database }: Readonly<Record<string, unknown>>,
): Promise<{ readonly dataDir: string; readonly project: string }> {
  const { loadConfig } = await import("../../config/index.ts");
  const { env, cwd, reader } = line;
  const flags = { db, dataDir: given, database };
  const { dataDir, paths } = loadConfig({ flags, env, cwd, reader });
  return { dataDir, project: paths.projectRoot };
}
