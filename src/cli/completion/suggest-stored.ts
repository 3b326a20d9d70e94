import { loadConfig } from "../../config/index.ts";
import { openPlace } from "../../database/index.ts";
import { isDatabaseName, SUGGESTIONS, suggestFromDatabase } from "../../memory/completion.ts";
import type { QuickLine } from "../command-line.ts";
import type { CompletedValue } from "./completed-value.ts";

export interface StoredValues {
  /** `db`, `dataDir` and `database` of the line. */
  readonly flags: Readonly<Record<string, string>>;
  readonly prefix: string;
  /** Kinds of `suggest`; undefined: names of databases. */
  readonly kinds: readonly string[] | undefined;
  readonly limit: number;
}

/** Values from the database that the line means. The program's other parts are not loaded for it. */
export async function suggestStored(
  { env, cwd }: QuickLine,
  { flags, prefix, kinds, limit }: StoredValues,
): Promise<CompletedValue[]> {
  const { dataDir, database, settings } = loadConfig({ flags, env, cwd, reader: "person" });
  const place = openPlace({
    folder: dataDir,
    address: settings.database,
    postgres: settings.postgres,
    isName: isDatabaseName,
  });
  try {
    if (kinds === undefined) {
      const names = (await place.list()).map(({ name }) => name);
      return names
        .filter((name) => name.startsWith(prefix))
        .map((value) => ({ value, detail: "" }));
    }
    const known = SUGGESTIONS.filter((kind) => kinds.includes(kind));
    const stored = place.open(database.name);
    const found = await suggestFromDatabase(stored, { prefix, kinds: known, limit });
    await stored.close();
    return found;
  } finally {
    await place.close();
  }
}
