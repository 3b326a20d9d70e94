import type { CommandLine } from "../command-line.ts";

/** Which project is meant, and where what is kept of it lies. */
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
