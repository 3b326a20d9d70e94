import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../shared/package.ts";

/** A built file in the forms in which it is sent. */
export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  readonly brotli: Buffer | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

/**
 * The built page by file name, held in memory: it is small, and an upgrade that replaces the files
 * must not mix two versions. Undefined where it was never built, as in a fresh checkout.
 */
export function readPageFiles(
  folder: string = join(packageRoot(), "dist", "ui"),
): ReadonlyMap<string, PageFile> | undefined {
  if (!existsSync(join(folder, "index.html"))) return undefined;
  const names = readdirSync(folder);
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = TYPES[name.replace(/^.*\./, "")];
    if (type === undefined) continue;
    const compressed = `${name}.br`;
    const brotli = names.includes(compressed) ? readFileSync(join(folder, compressed)) : undefined;
    files.set(name, { type, body: readFileSync(join(folder, name)), brotli });
  }
  return files;
}
