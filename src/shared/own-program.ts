import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "./package-root.ts";

/** What Node.js must run in another thread or process. */
export interface OwnProgram {
  /** Absolute path. */
  readonly file: string;
  /** Arguments that must precede those of the caller. */
  readonly argv: readonly string[];
}

/**
 * A program of this package that runs in its own thread or process, named by the URL of its source relative
 * to the caller. The build bundles each into its own file; when the sources run, a loader for TypeScript
 * comes first.
 */
export function ownProgram(source: URL): OwnProgram {
  if (import.meta.url.endsWith(".ts")) {
    return { file: join(packageRoot(), "scripts", "run-source.mjs"), argv: [source.href] };
  }
  return { file: fileURLToPath(source).replace(/\.ts$/, ".js"), argv: [] };
}
