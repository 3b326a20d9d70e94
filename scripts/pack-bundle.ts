/**
 * Packs `packages/mcpb` into an archive that Claude Desktop and other programs install by a double
 * click: `dist/bundle/cairn-memory-<version>.mcpb`, or where the first argument says.
 *
 *   npm run packages:bundle [-- FILE]
 */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { packExtension } from "@anthropic-ai/mcpb/cli";
import { description } from "./package-description.ts";

/** Checks the manifest against its schema first; throws when that, or the packing, fails. */
export async function packBundle(file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const options = { extensionPath: "packages/mcpb", outputPath: file, silent: true };
  if (!(await packExtension(options))) throw new Error(`${file} could not be packed`);
}

if (process.argv[1]?.endsWith("pack-bundle.ts")) {
  const { package: name, version } = description;
  const file = process.argv[2] ?? join("dist", "bundle", `${name}-${version}.mcpb`);
  await packBundle(file);
  process.stdout.write(`${file}\n`);
}
