import type { App, AppOptions } from "../app/index.ts";
import type { MemoryEngine } from "../memory/index.ts";
import { notFound } from "../shared/errors.ts";
import type { CommandLine, GlobalOptions } from "./command-line.ts";

/** The options of the program's parts; `flags` are the settings given as options. */
export function appOptions(
  { env, cwd, logger, furtherOperations, reader }: CommandLine,
  {
    json: _json,
    color: _color,
    pager: _pager,
    permission: permissionMode,
    ...others
  }: Readonly<Record<string, unknown>>,
): AppOptions {
  // `--permission` is the short name of `--permission-mode`.
  const flags = { ...others, ...(permissionMode !== undefined && { permissionMode }) };
  return { flags, env, cwd, logger, furtherOperations, reader };
}

export async function withApp<T>(
  line: CommandLine,
  options: GlobalOptions,
  body: (app: App) => Promise<T>,
): Promise<T> {
  const { db, dataDir, database } = options;
  const given = { ...appOptions(line, { db, dataDir, database }), namedMustExist: true };
  const app = line.stays?.openApp(given) ?? (await import("../app/index.ts")).createApp(given);
  try {
    return await body(app);
  } finally {
    await app.close();
  }
}

/** The memory that `--db` names, for one command. */
export function withMemory<T>(
  line: CommandLine,
  options: GlobalOptions,
  body: (memory: MemoryEngine, app: App) => Promise<T>,
): Promise<T> {
  return withApp(line, options, async (app) => {
    const memory = app.store.open();
    const existed = await memory.isThere();
    const result = await body(memory, app);
    if (!existed && (await memory.isThere())) await tellOfNew(line, memory, app);
    return result;
  });
}

/** If a database that is to be read does not exist, its name was most likely mistyped. */
export async function requireExisting(memory: MemoryEngine): Promise<void> {
  if (await memory.isThere()) return;
  throw notFound(
    `There is no database "${memory.name}" yet in ${memory.location}. The first \`cairn remember\` or \`cairn apply\` makes it; \`cairn databases\` lists those that exist.`,
  );
}

/** If a named database was just created, its name may have been mistyped. */
async function tellOfNew(line: CommandLine, { name }: MemoryEngine, app: App): Promise<void> {
  if (app.config.database.by !== "flag") return;
  const { nearestName } = await import("../shared/nearest.ts");
  const others = (await app.store.list()).flatMap((other) =>
    other.name === name ? [] : [other.name],
  );
  const near = nearestName(name, others);
  const hint = near === undefined ? "" : ` There is also "${near}".`;
  line.stderr.write(`cairn: "${name}" is a new database.${hint}\n`);
}
