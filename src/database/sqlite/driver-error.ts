import { CairnError } from "../../shared/errors.ts";

/** Module loader errors after Node.js was changed, raised before Node.js compares versions. */
const OTHER_NODE_ERROR =
  /NODE_MODULE_VERSION|undefined symbol|symbol not found|procedure could not be found/i;

/** Module loader errors on systems without a native build, such as Alpine Linux (no glibc). */
const NOT_BUILT_ERROR = /ld-linux|ld-musl|Cannot find module .*better_sqlite3\.node/;

/**
 * Explains why the native SQLite module does not load: it belongs to the Node.js version of the
 * installation, and installing without scripts omits it. Undefined for other errors.
 */
export function driverError(error: unknown, node = process.versions.node): CairnError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? error.code : undefined;
  if (NOT_BUILT_ERROR.test(error.message)) {
    return new CairnError(
      "unavailable",
      `cairn's SQLite driver is not built for this system (${process.platform}-${process.arch}). Alpine Linux has no glibc, which it needs: use an image based on Debian, such as node:22-slim.`,
      undefined,
      { cause: error },
    );
  }
  if (code === "ERR_DLOPEN_FAILED") {
    const why = OTHER_NODE_ERROR.test(error.message)
      ? `was installed for another Node.js than this one (${node})`
      : "does not run on this machine";
    return unavailable(`cairn's SQLite driver ${why}`, error);
  }
  // Error of the `bindings` package.
  if (!error.message.startsWith("Could not locate the bindings file")) return undefined;
  return unavailable("cairn's SQLite driver was installed without its native module", error);
}

function unavailable(problem: string, cause: Error): CairnError {
  return new CairnError(
    "unavailable",
    `${problem}: install cairn again with this Node.js, or run \`npm rebuild better-sqlite3\` where it is installed.`,
    undefined,
    { cause },
  );
}
