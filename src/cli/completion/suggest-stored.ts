import { loadConfig } from "../../config/index.ts";
import { openDatabaseBackend } from "../../database/index.ts";
import { isDatabaseName, SUGGESTIONS, suggestDatabaseValues } from "../../memory/completion.ts";
import type { LongRunningProcess, QuickLine } from "../command-line.ts";
import type { CompletedValue } from "./completed-value.ts";

export interface StoredValues {
  /** `db`, `dataDir` and `database` options. */
  readonly flags: Readonly<Record<string, string>>;
  readonly prefix: string;
  /** Kinds of `suggest`; undefined for database names. */
  readonly kinds: readonly string[] | undefined;
  readonly limit: number;
}

/** Suggests values from the selected database, without loading the rest of the program. */
export async function suggestStored(
  line: QuickLine,
  values: StoredValues,
): Promise<CompletedValue[]> {
  const { env, cwd, longRunning } = line;
  if (longRunning !== undefined) return suggestFromStore(line, longRunning, values);
  const { flags, prefix, kinds, limit } = values;
  const { dataDir, database, settings } = loadConfig({ flags, env, cwd, reader: "person" });
  const location = openDatabaseBackend({
    folder: dataDir,
    address: settings.database,
    postgres: settings.postgres,
    isName: isDatabaseName,
  });
  try {
    if (kinds === undefined) return filterNames(await location.list(), prefix);
    const stored = location.open(database.name);
    const found = await suggestDatabaseValues(stored, {
      prefix,
      kinds: filterKnownKinds(kinds),
      limit,
    });
    await stored.close();
    return found;
  } finally {
    await location.close();
  }
}

async function suggestFromStore(
  { env, cwd, logger }: QuickLine,
  process: LongRunningProcess,
  { flags, prefix, kinds, limit }: StoredValues,
): Promise<CompletedValue[]> {
  const app = process.openApp({ flags, env, cwd, logger, reader: "person" });
  try {
    if (kinds === undefined) return filterNames(await app.store.list(), prefix);
    const stored = await app.store.open().database();
    return await suggestDatabaseValues(stored, { prefix, kinds: filterKnownKinds(kinds), limit });
  } finally {
    await app.close();
  }
}

function filterNames(
  stored: readonly { readonly name: string }[],
  prefix: string,
): CompletedValue[] {
  return stored
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name: value }) => ({ value, detail: "" }));
}

function filterKnownKinds(kinds: readonly string[]) {
  return SUGGESTIONS.filter((kind) => kinds.includes(kind));
}
