import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

export interface PackageDescription {
  readonly name: string;
  readonly version: string;
}

/** Name and version of this package as published. */
export function packageDescription(): PackageDescription {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
}
