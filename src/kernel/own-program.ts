import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "./package-root.ts";

/** What Node.js is asked to run in another thread or process. */
export interface OwnProgram {
  /** Absolute path. */
  readonly file: string;
  /** Arguments that come before those of the caller. */
  readonly argv: readonly string[];
}

/**
 * A program of this package that runs in a thread or process of its own, named by the URL of its
 * source beside the caller. The build bundles each as a file of its own beside all other code; when
 * the sources run, a loader for TypeScript comes first.
 */
export function ownProgram(source: URL): OwnProgram {
  if (import.meta.url.endsWith(".ts")) {
    return { file: join(packageRoot(), "scripts", "run-source.mjs"), argv: [source.href] };
  }
  return { file: fileURLToPath(source).replace(/\.ts$/, ".js"), argv: [] };
}
