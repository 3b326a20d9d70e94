import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../kernel/package-root.ts";

/** Version of this package. */
export function version(): string {
  return readPackage().version;
}

/** Name under which this package is published. */
export function packageName(): string {
  return readPackage().name;
}

function readPackage() {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return JSON.parse(text) as { readonly name: string; readonly version: string };
}
