import { join } from "node:path";
import { loadConfig } from "../../config/index.ts";
import { DatabaseFolder } from "../../database/index.ts";
import { isDatabaseName, SUGGESTIONS, suggestFromFile } from "../../memory/completion.ts";
import type { QuickLine } from "../command-line.ts";
import type { CompletedValue } from "./completed-value.ts";

export interface StoredValues {
  /** `db` and `dataDir` of the line. */
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
  const { dataDir, database } = loadConfig({ flags, env, cwd });
  if (kinds === undefined) {
    const stored = await new DatabaseFolder(dataDir, isDatabaseName).list();
    const names = stored.map(({ name }) => name);
    return names.filter((name) => name.startsWith(prefix)).map((value) => ({ value, detail: "" }));
  }
  const known = SUGGESTIONS.filter((kind) => kinds.includes(kind));
  return suggestFromFile(join(dataDir, `${database.name}.db`), { prefix, kinds: known, limit });
}
