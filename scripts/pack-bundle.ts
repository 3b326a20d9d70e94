/**
 * Packs `packages/mcpb` into an archive that Claude Desktop and other programs install on a double
 * click: `dist/bundle/cairn-memory-<version>.mcpb`, or the path in the first argument.
 *
 *   npm run packages:bundle [-- FILE]
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { zipSync } from "fflate";
import { description } from "./package-description.ts";

const FOLDER = "packages/mcpb";

/** Writes the archive. Paths in it are relative to the folder. */
export function packBundle(file: string): void {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(FOLDER, path)).isFile());
  const entries = files.map((path) => [
    path.replaceAll("\\", "/"),
    new Uint8Array(readFileSync(join(FOLDER, path))),
  ]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, zipSync(Object.fromEntries(entries)));
}

if (process.argv[1]?.endsWith("pack-bundle.ts")) {
  const { package: name, version } = description;
  const file = process.argv[2] ?? join("dist", "bundle", `${name}-${version}.mcpb`);
  packBundle(file);
  process.stdout.write(`${file}\n`);
}
